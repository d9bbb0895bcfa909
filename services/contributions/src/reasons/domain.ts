import { type Attribution, KnowledgeError, refuseFaults, type Transition, textFault } from '@knowledge/runtime';
import { type DecisionName, isSlug, reasonedDecisions } from '@knowledge/runtime/product';

/** The largest number of reasons. */
export const maxReasons = 200;

/** Bounds the history of one reason. */
const maxChanges = 1_000;

/** A reason as administrators write it. */
export interface CannedReason {
  id: string;
  words: string;
  /** Those whose reason the human gets. */
  decisions: DecisionName[];
  order: number;
}

/** A stored reason with its history. A deleted one stays, without its words, so that the log has every change. */
export interface StoredReason extends CannedReason {
  deleted: boolean;
  revision: number;
  history: Transition[];
}

/** @throws KnowledgeError `validation_error` */
export function checkReason({ id, words, decisions, order }: CannedReason): void {
  refuseFaults([
    isSlug(id) ? undefined : 'id must be up to 80 letters a to z, digits and single hyphens between them',
    textFault('words', words, { min: 1, max: 2_000 }),
    decisions.length === 0 ? 'decisions must name at least one decision' : undefined,
    decisions.every((name) => reasonedDecisions.includes(name))
      ? undefined
      : 'decisions must be those whose reason the human gets',
    new Set(decisions).size < decisions.length ? 'decisions must name each decision once' : undefined,
    order < 0 ? 'order must be 0 or more' : undefined,
  ]);
}

/** Puts a reason. Returns the stored one unchanged if it is the same already. */
export function putReason(stored: StoredReason | undefined, put: CannedReason, act: Attribution): StoredReason {
  if (stored !== undefined && !stored.deleted && isSame(stored, put)) return stored;
  return withChange(stored, { ...put, deleted: false }, 'put', act);
}

/**
 * Deletes a reason. Returns it unchanged if it is deleted already.
 *
 * @throws KnowledgeError `not_found` for a reason that never was.
 */
export function deleteReason(stored: StoredReason | undefined, act: Attribution): StoredReason {
  if (stored === undefined) throw new KnowledgeError('not_found', 'There is no reason with this id.');
  if (stored.deleted) return stored;
  const { id, decisions, order } = stored;
  return withChange(stored, { id, words: '', decisions, order, deleted: true }, 'deleted', act);
}

function isSame({ words, decisions, order }: CannedReason, other: CannedReason) {
  const sameDecisions = [...decisions].sort().join() === [...other.decisions].sort().join();
  return words === other.words && order === other.order && sameDecisions;
}

function withChange(
  stored: StoredReason | undefined,
  reason: CannedReason & { deleted: boolean },
  to: string,
  { actor, at, reason: why }: Attribution,
): StoredReason {
  const history = stored?.history ?? [];
  if (history.length >= maxChanges) {
    throw new KnowledgeError('invalid_state', `The reason was changed ${maxChanges} times; take another id.`);
  }
  const revision = (stored?.revision ?? 0) + 1;
  const transition = { from: history.at(-1)?.to ?? '', to, actor, at, reason: why, revision };
  return { ...reason, revision, history: [...history, transition] };
}
