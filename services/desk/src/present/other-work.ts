import type { OtherWork } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { atRevision, shortId } from '../ids.js';
import { timestamp } from '../print/time.js';
import { contributionStates, contributionTypes, presentPurpose, typeOf } from './contribution-words.js';
import { titleOf } from './first-words.js';

/** Other contributions of one human or agent; null if the service gave none. */
export function presentOtherWork(work: OtherWork | undefined) {
  if (work === undefined) return null;
  return {
    counts: work.counts.map(({ state, count }) => ({ state: contributionStates.fromWire(state), count })),
    newest: work.newest.map(({ id, title, type, purpose, beginning, state, reason, submittedAt, revision }) => ({
      id,
      id_at_revision: atRevision({ id, revision }),
      title: title || null,
      type: contributionTypes.fromWire(type),
      purpose: presentPurpose(purpose),
      beginning,
      state: contributionStates.fromWire(state),
      reason: reason || null,
      submitted_at: timestamp(submittedAt),
    })),
  };
}

/** Formats other contributions: the counts on one line, then the newest; empty without any. */
export function formatOtherWork(work: ReturnType<typeof presentOtherWork>): string {
  if (work === null || work.newest.length === 0) return '';
  const counts = work.counts.map(({ state, count }) => `${count} ${state.replace('_', ' ')}`).join(', ');
  const newest = work.newest.map((each) => {
    const { id_at_revision, title, beginning, state, reason } = each;
    const why = reason === null ? '' : `: ${reason}`;
    const words = [typeOf(each), state].map((word) => word.replace('_', ' ')).join('  ');
    return `${shortId(id_at_revision)}  ${words}  ${titleOf({ title, body: beginning })}${why}`;
  });
  return [counts, ...newest].join('\n');
}
