/** A decision can be undone for this long. */
const undoMs = 30_000;
const againMs = 1_000;

/** Asks again each second until somebody answers, or until an undo is too late. */
export async function insist<Answer>(
  ask: () => Promise<Answer | undefined>,
  onSilence?: () => void,
): Promise<Answer | undefined> {
  const until = performance.now() + undoMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > until) return answer;
    onSilence?.();
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}
