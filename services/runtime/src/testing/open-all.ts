import { type Closable, closeAll } from '../lifecycle/close-all.js';

/**
 * Opens several resources that are closed together. `open` adds each one to the list. If `open` throws, the resources
 * in the list are closed, so that a failed start leaves no process or database behind.
 */
export async function openAll<T extends object>(
  open: (opened: Closable[]) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const opened: Closable[] = [];
  try {
    return { ...(await open(opened)), close: () => closeAll(opened) };
  } catch (error) {
    await closeAll(opened).catch(() => undefined);
    throw error;
  }
}
