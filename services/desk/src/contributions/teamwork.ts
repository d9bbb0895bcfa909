import type { HeldDecision } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Note } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { decisionWords, outcomeOf } from '../base/contribution-words.js';
import type { Presented } from '../base/presented.js';
import { formatText, type Paint } from '../base/text.js';
import { readableTime, timestamp } from '../base/time.js';

export type HeldView = ReturnType<typeof presentHeld>;

/** Converts a held decision to field names like those of the HTTP API. */
export function presentHeld({ decision, actor, decidedAt, takesEffectAt, reason, text, note }: HeldDecision) {
  return {
    decision: decisionWords.fromWire(decision),
    actor,
    decided_at: timestamp(decidedAt),
    takes_effect_at: timestamp(takesEffectAt),
    reason: reason || null,
    text: text || null,
    note: note || null,
  };
}

/** Says what was decided and when it takes effect, with seconds. */
export function describeHeld({ decision, actor, takes_effect_at }: HeldView): string {
  return `${outcomeOf(decision)} by ${actor}; takes effect at ${takes_effect_at?.slice(11, 19)} UTC`;
}

/** Formats the notes of moderators, oldest first; an empty text if there are none. */
export function formatNotes(notes: readonly Presented<Note>[], paint: Paint): string {
  const lines = notes.map(({ author, written_at, text }) => `${readableTime(written_at)}  ${author}:\n${text}`);
  return formatText('Notes, only for moderators', lines.join('\n'), paint);
}
