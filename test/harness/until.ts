/** Waits until a condition is true and returns its value. After `ms` it throws an error that names `what`. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  ms = 15_000,
  everyMs = 20,
): Promise<T> {
  const giveUp = Date.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== undefined && value !== false && value !== null) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > giveUp) throw new Error(`Waited ${ms} ms for: ${what}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
