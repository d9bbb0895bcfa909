import type { ArticleFacts } from '../../domain/article-facts.js';
import { checkArticlePut } from '../../domain/article-input.js';
import { checkTime, collectFaults, type Unchecked } from '../../domain/bounds.js';

/** The fields that an editor sends for a draft. Without a time of publication the stored time is kept. */
export interface DraftPut extends ArticleFacts {
  readonly baseRevision: number;
  /** The revision of the draft that the editor expects; 0 disables the check. */
  readonly expectedRevision: number;
  readonly reason: string;
}

/**
 * Checks a put by the rules of the put of an article.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function checkDraftPut({ baseRevision, ...sent }: Unchecked<DraftPut, 'site'>): DraftPut {
  const { publish: _, ...put } = checkArticlePut({ ...sent, publish: false });
  const faults = collectFaults();
  if (baseRevision < 1) faults.add('base_revision', 'must be the revision of the article that the text is based on');
  faults.throwIfAny();
  return { ...put, baseRevision };
}

/** @throws KnowledgeError `validation_error` for a time that is not in the future. */
export function requireFuture(at: Date, now: Date): Date {
  const faults = collectFaults();
  checkTime(faults, 'at', at);
  if (!(at > now)) faults.add('at', 'must be in the future; leave it out to publish at once');
  faults.throwIfAny();
  return at;
}
