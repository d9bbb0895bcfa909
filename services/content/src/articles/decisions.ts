import { type Attribution, KnowledgeError, readingTokens } from '@knowledge/runtime';
import { plainText } from '@knowledge/runtime/markdown';
import { checkRevision, hasSame } from '../base/bounds.js';
import { countWords } from '../base/words.js';
import {
  type Article,
  type ArticleOutcome,
  type ArticlePut,
  type ArticleState,
  type Removal,
  unknownArticle,
} from './domain.js';

/** Creates an article. If the article exists, changes it to match the put. */
export function decidePut(before: Article | undefined, put: ArticlePut, act: Attribution): ArticleOutcome {
  const publishedAt = put.publishedAt ?? before?.publishedAt;
  const state = stateOfPut(before, put.publish, publishedAt, act.at);
  const { publish: _, expectedRevision, reason: __, ...facts } = put;
  const after = { ...facts, state, publishedAt };
  const same = before !== undefined && hasSame<typeof after>(before, after);
  checkRevision({ stored: before?.revision ?? 0, expected: expectedRevision, same });
  if (same) return { outcome: 'unchanged', article: before };
  const wordCount = before?.body === put.body ? before.wordCount : countWords(plainText(put.body));
  const size = { wordCount, readingTokens: readingTokens(put.body) };
  return revise(before, { ...after, ...size, createdAt: before?.createdAt ?? act.at }, act);
}

/**
 * Publishes a draft or an archived article. A published article does not change. An article whose time of publication
 * is in the future becomes `scheduled`.
 */
export function decidePublish(before: Article | undefined, expectedRevision: number, act: Attribution): ArticleOutcome {
  return decideState(before, shownState(before?.publishedAt, act.at), expectedRevision, act);
}

/** Publishes a scheduled article whose time of publication has come. Returns undefined for every other article. */
export function decideDue(before: Article | undefined, act: Attribution): ArticleOutcome | undefined {
  if (before?.state !== 'scheduled' || shownState(before.publishedAt, act.at) === 'scheduled') return undefined;
  return decideState(before, 'published', 0, act);
}

/**
 * Archives a published article. An archived article does not change. A draft is refused, since it was
 * never published.
 */
export function decideArchive(before: Article | undefined, expectedRevision: number, act: Attribution): ArticleOutcome {
  return decideState(before, 'archived', expectedRevision, act);
}

/** Makes an article a draft again. A draft does not change. */
export function decideDraft(before: Article | undefined, expectedRevision: number, act: Attribution): ArticleOutcome {
  return decideState(before, 'draft', expectedRevision, act);
}

function decideState(
  before: Article | undefined,
  state: ArticleState,
  expected: number,
  act: Attribution,
): ArticleOutcome {
  if (before === undefined) throw unknownArticle();
  const same = before.state === state;
  checkRevision({ stored: before.revision, expected, same });
  if (same) return { outcome: 'unchanged', article: before };
  if (state === 'archived' && before.state !== 'published') {
    throw new KnowledgeError(
      'invalid_state',
      `Readers do not see it: it is ${before.state}. ${unseenHints[before.state]}`,
    );
  }
  return revise(before, { ...before, state }, act);
}

const unseenHints: Readonly<Record<Exclude<ArticleState, 'published'>, string>> = {
  draft: 'A draft cannot be archived; it can be deleted.',
  scheduled: 'Take it back to draft.',
  archived: 'It is archived already.',
};

function stateOfPut(
  before: Article | undefined,
  publish: boolean,
  publishedAt: Date | undefined,
  now: Date,
): ArticleState {
  const shown = publish || before?.state === 'published' || before?.state === 'scheduled';
  return shown ? shownState(publishedAt, now) : (before?.state ?? 'draft');
}

function shownState(publishedAt: Date | undefined, now: Date) {
  return publishedAt !== undefined && publishedAt > now ? 'scheduled' : 'published';
}

function revise(
  before: Article | undefined,
  after: Omit<Article, 'revision' | 'updatedAt'>,
  act: Attribution,
): Exclude<ArticleOutcome, { outcome: 'unchanged' }> {
  const revision = (before?.revision ?? 0) + 1;
  const publishedAt = after.publishedAt ?? (after.state === 'published' ? act.at : undefined);
  return {
    outcome: before === undefined ? 'created' : 'updated',
    before,
    article: { ...after, publishedAt, updatedAt: laterThan(before?.updatedAt, act.at), revision },
    transition: { ...act, from: before?.state ?? '', to: after.state, revision },
  };
}

/** A clock that was set back must not make a change look older than the one before it. */
function laterThan(before: Date | undefined, now: Date) {
  return before === undefined || now > before ? now : new Date(before.getTime() + 1);
}

/**
 * Deletes a draft with all its revisions, also of an article that was published before.
 *
 * @throws KnowledgeError `not_found`, `invalid_state`.
 */
export function decideRemoval(before: Article | undefined, expectedRevision: number, act: Attribution): Removal {
  if (before === undefined) throw unknownArticle();
  const { state, revision, tags } = before;
  checkRevision({ stored: revision, expected: expectedRevision, same: false });
  if (state !== 'draft') {
    throw new KnowledgeError('invalid_state', `Only a draft can be deleted; this article is ${state}.`);
  }
  return { outcome: 'deleted', tags, transition: { ...act, from: state, to: 'deleted', revision: revision + 1 } };
}
