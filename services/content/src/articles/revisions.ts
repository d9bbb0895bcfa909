import { isDeepStrictEqual } from 'node:util';
import { type Attribution, refuse, type Transition } from '@knowledge/runtime';
import { wordsOf } from '../base/words.js';
import { decidePut } from './decisions.js';
import {
  type Article,
  type ArticleFacts,
  type ArticleOutcome,
  type ArticlePut,
  checkArticlePut,
  factFaults,
  unknownArticle,
} from './domain.js';

/** One revision of an article, with everything that the article had at it. */
export interface ArticleRevision {
  readonly article: Omit<Article, 'createdAt'>;
  readonly transition: Transition;
  /** The revision whose text was put back here; undefined for a revision that restored nothing. */
  readonly restoredRevision: number | undefined;
}

/** Whether readers see a revision. */
type RevisionVisibility = 'never' | 'earlier' | 'now';

/** What changed with a revision, without its text. */
export interface RevisionSummary extends Pick<ArticleRevision, 'transition' | 'restoredRevision'> {
  readonly visibility: RevisionVisibility;
  /** The fields that differ from the revision before. */
  readonly changedFields: readonly (keyof ArticleFacts)[];
  /** How many words of the Markdown are new. A word that only moved is neither added nor removed. */
  readonly wordsAdded: number;
  readonly wordsRemoved: number;
}

/**
 * Compares each revision with the one that follows it in the list, which is the one before it in time. The last of the
 * list is compared with nothing. `current` is the revision that the article has now.
 */
export async function summariseRevisions(
  newestFirst: AsyncIterable<ArticleRevision>,
  current: number,
): Promise<RevisionSummary[]> {
  const summaries: RevisionSummary[] = [];
  let later: ArticleRevision | undefined;
  // One revision after the other, because each may have a text of 200 kB.
  for await (const revision of newestFirst) {
    if (later !== undefined) summaries.push(summariseRevision(later, revision, current));
    later = revision;
  }
  return later === undefined ? summaries : [...summaries, summariseRevision(later, undefined, current)];
}

/** Compares a revision with the one before it. `current` is the revision that the article has now. */
export function summariseRevision(
  now: ArticleRevision,
  before: ArticleRevision | undefined,
  current: number,
): RevisionSummary {
  const { article, transition, restoredRevision } = now;
  return {
    transition,
    restoredRevision,
    visibility: visibilityOf(article, current),
    changedFields: comparedFields.filter((name) => isChanged(article[name], before?.article[name])),
    ...changedWords(article.body, before?.article.body ?? ''),
  };
}

function visibilityOf({ state, revision }: ArticleRevision['article'], current: number): RevisionVisibility {
  if (state !== 'published') return 'never';
  return revision === current ? 'now' : 'earlier';
}

// The name of an article never changes.
const comparedFields = (Object.keys(factFaults) as (keyof ArticleFacts)[]).filter(
  (name) => name !== 'site' && name !== 'slug',
);

function isChanged<Value extends ArticleFacts[keyof ArticleFacts]>(now: Value, before: Value | undefined) {
  if (before !== undefined) return !isDeepStrictEqual(now, before);
  return now !== undefined && (now instanceof Date || now.length > 0);
}

function changedWords(now: string, before: string): Pick<RevisionSummary, 'wordsAdded' | 'wordsRemoved'> {
  if (now === before) return { wordsAdded: 0, wordsRemoved: 0 };
  const surplus = new Map<string, number>();
  for (const word of wordsOf(now)) surplus.set(word, (surplus.get(word) ?? 0) + 1);
  for (const word of wordsOf(before)) surplus.set(word, (surplus.get(word) ?? 0) - 1);
  let wordsAdded = 0;
  let wordsRemoved = 0;
  for (const count of surplus.values()) {
    if (count > 0) wordsAdded += count;
    else wordsRemoved -= count;
  }
  return { wordsAdded, wordsRemoved };
}

/**
 * Makes the put that brings back the text of a revision. The time of publication and the state stay as they are.
 *
 * @throws KnowledgeError `validation_error` for an old text that breaks a rule of today, or without `expectedRevision`.
 */
export function putOfRevision({ article }: ArticleRevision, expectedRevision: number, reason: string): ArticlePut {
  if (expectedRevision < 1) {
    refuse('expected_revision must be the revision that the article has now');
  }
  return checkArticlePut({ ...article, publishedAt: undefined, publish: false, expectedRevision, reason });
}

/**
 * Puts the text of a revision back as a new revision. An article that has this text already does not change.
 *
 * @throws KnowledgeError `not_found`; `invalid_state` for a stale revision, as a put.
 */
export function decideRestoration(
  before: Article | undefined,
  put: ArticlePut,
  restoredRevision: number,
  act: Attribution,
): ArticleOutcome {
  if (before === undefined) throw unknownArticle();
  const decided = decidePut(before, put, act);
  return decided.outcome === 'unchanged' ? decided : { ...decided, restoredRevision };
}
