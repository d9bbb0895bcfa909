import { isDeepStrictEqual } from 'node:util';
import type { ArticleFacts } from './article-facts.js';
import { factChecks } from './article-facts.js';
import type { ArticleRevision, RevisionSummary, RevisionVisibility } from './article-revision.js';
import { wordsOf } from './words.js';

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
const comparedFields = (Object.keys(factChecks) as (keyof ArticleFacts)[]).filter(
  (name) => name !== 'site' && name !== 'slug',
);

function isChanged<Value extends ArticleFacts[keyof ArticleFacts]>(now: Value, before: Value | undefined): boolean {
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
