/** Waits until a condition is true, and gives its value. Fails with `what` after 15 s. */
export async function until<T>(what: string, condition: () => Promise<T | undefined | false | null>): Promise<T> {
  const giveUp = Date.now() + 15_000;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false && value !== null) return value;
    if (Date.now() > giveUp) throw new Error(`Waited 15 s for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
