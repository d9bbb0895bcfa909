/** Something that its process or test must close at the end. */
export interface Closable {
  close(): Promise<unknown> | unknown;
}

/**
 * Closes in reverse order, one after the other. If one close fails, the others still run, and all failures are thrown
 * at the end. After the time limit the remaining ones are closed without waiting.
 */
export async function closeAll(closables: readonly (Closable | undefined)[], limitMs = 15_000): Promise<void> {
  const failures: unknown[] = [];
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs);
  });
  let late = false;
  for (const closable of [...closables].reverse()) {
    if (closable === undefined) continue;
    const closing = Promise.resolve()
      .then(() => closable.close())
      .catch((error: unknown) => void failures.push(error));
    late = late || (await Promise.race([closing, limit])) === 'late';
  }
  clearTimeout(timer);
  if (late) failures.push(new Error(`Not everything was closed within ${limitMs} ms.`));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'Several things failed to close.');
}
