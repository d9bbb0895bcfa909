import { type Closable, closeAll } from '../lifecycle/close-all.js';

/**
 * Opens several things that are closed together. `open` adds each to the list as soon as it is open; if it throws, what was
 * opened before is closed, so that a failed start leaves no process and no database behind.
 */
export async function openTogether<T extends object>(
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
