import type { WriteReply } from './counter-commands.js';

/** What became of a statement. A skipped one stands after one that failed, in an ordered command. */
export type StatementResult = 'inserted' | 'matched' | 'skipped' | Error;

/** Returns what became of each of `count` statements. */
export function resultsOf({ inserted, failed }: WriteReply, count: number, ordered: boolean): StatementResult[] {
  const end = ordered && failed.size > 0 ? Math.min(...failed.keys()) : count;
  return Array.from({ length: count }, (_, at) => {
    if (at > end) return 'skipped';
    return failed.get(at) ?? (inserted.has(at) ? 'inserted' : 'matched');
  });
}

export function isApplied(result: StatementResult): boolean {
  return result === 'inserted' || result === 'matched';
}
