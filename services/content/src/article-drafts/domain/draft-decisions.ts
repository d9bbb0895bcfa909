import { isDeepStrictEqual } from 'node:util';
import type { Attribution } from '@knowledge/runtime';
import { KnowledgeError, readingTokens } from '@knowledge/runtime';
import { plainText } from '@knowledge/runtime/markdown';
import type { Article } from '../../domain/article.js';
import { checkRevision, staleRevision } from '../../domain/revision.js';
import { unknownArticle } from '../../domain/unknown-article.js';
import { countWords } from '../../domain/words.js';
import type { ArticleDraft, DraftEnd, DraftEnded, DraftKept, DraftRevised, DraftState } from './article-draft.js';
import type { DraftPut } from './draft-input.js';

const maxAuthors = 20;

/** Creates the draft of an article, or changes it to match the put. A scheduled draft keeps its time. */
export function decideDraftPut(state: DraftState, put: DraftPut, act: Attribution): DraftKept {
  const { article, draft: before } = state;
  if (article === undefined) throw unknownArticle();
  const { expectedRevision, reason: _, ...facts } = put;
  const after = { ...facts, publishedAt: put.publishedAt ?? before?.publishedAt ?? article.publishedAt };
  requirePossible(article, after, act.at);
  if (before?.schedule !== undefined && put.baseRevision < article.revision) {
    throw staleRevision(`The draft is scheduled, so its text must be based on revision ${article.revision}.`);
  }
  const same = before !== undefined && isSame(before, after);
  checkRevision({ stored: before?.revision ?? 0, expected: expectedRevision, same });
  if (same) return { outcome: 'unchanged', draft: before };
  return revised(state, act, {
    ...after,
    wordCount: countWords(plainText(put.body)),
    readingTokens: readingTokens(put.body),
    authors: [...(before?.authors ?? []).filter((each) => each !== act.actor), act.actor].slice(-maxAuthors),
    createdAt: before?.createdAt ?? act.at,
    schedule: before?.schedule,
  });
}

/** Takes the time of a scheduled draft back, because the article has a newer revision than its base. */
export function decideMissed(draft: ArticleDraft, act: Attribution): DraftRevised {
  const missed = draft.schedule && { at: draft.schedule.at, reason: act.reason };
  return revised({ draft, revision: draft.revision }, act, { ...draft, schedule: undefined, missed });
}

/** Takes the time of a scheduled draft back. A draft without a time does not change. */
export function decideUnscheduling(state: DraftState, expectedRevision: number, act: Attribution): DraftKept {
  const { draft } = requireDraft(state);
  const same = draft.schedule === undefined;
  checkRevision({ stored: draft.revision, expected: expectedRevision, same });
  return same ? { outcome: 'unchanged', draft } : revised(state, act, { ...draft, schedule: undefined });
}

/** Deletes a draft. */
export function decideDiscard(state: DraftState, expectedRevision: number, act: Attribution): DraftEnded {
  if (isRepeated(state, 'discarded', act)) return { outcome: 'repeated' };
  const { draft } = requireDraft(state);
  checkRevision({ stored: draft.revision, expected: expectedRevision, same: false });
  return ended(state, 'discarded', act);
}

/** @throws KnowledgeError `not_found` if there is no such article, or it has no draft. */
export function requireDraft({ article, draft }: Pick<DraftState, 'article' | 'draft'>): {
  article: Article;
  draft: ArticleDraft;
} {
  if (article === undefined) throw unknownArticle();
  if (draft === undefined) throw new KnowledgeError('not_found', 'The article has no draft of its next revision.');
  return { article, draft };
}

/** Whether the same request has already ended the draft so. */
export function isRepeated({ draft, lastEnd }: DraftState, to: DraftEnd['to'], act: Attribution): boolean {
  if (draft !== undefined || lastEnd === undefined) return false;
  return lastEnd.to === to && lastEnd.actor === act.actor && lastEnd.requestId === act.requestId;
}

/** Makes the next revision of a draft, with its transition. */
export function revised(
  { draft: before, revision: last }: Pick<DraftState, 'draft' | 'revision'>,
  act: Attribution,
  after: Omit<ArticleDraft, 'revision' | 'updatedAt'>,
): DraftRevised {
  const revision = last + 1;
  return {
    outcome: before === undefined ? 'created' : 'updated',
    draft: { ...after, revision, updatedAt: act.at },
    transition: { ...act, from: stateOf(before), to: stateOf(after), revision },
  };
}

/** Makes the end of a draft, with its transition. */
export function ended({ draft, revision }: DraftState, to: DraftEnd['to'], act: Attribution) {
  return { outcome: 'ended' as const, transition: { ...act, from: stateOf(draft), to, revision: revision + 1 } };
}

function stateOf(draft: Pick<ArticleDraft, 'schedule'> | undefined): string {
  if (draft === undefined) return '';
  return draft.schedule === undefined ? 'draft' : 'scheduled';
}

function requirePossible(article: Article, { baseRevision, publishedAt }: DraftFacts, now: Date): void {
  if (baseRevision > article.revision) {
    throw new KnowledgeError(
      'validation_error',
      `base_revision must be at most ${article.revision}, the revision of the article.`,
    );
  }
  // Such a time would hide the article from its readers.
  if (article.state === 'published' && publishedAt !== undefined && publishedAt > now) {
    throw new KnowledgeError(
      'validation_error',
      'published_at must not be in the future, since readers see the article; publish the draft at that time instead.',
    );
  }
}

type DraftFacts = Omit<DraftPut, 'expectedRevision' | 'reason'>;

// Compares all fields of a put, so that nobody can forget to add a new field here.
function isSame(before: ArticleDraft, after: DraftFacts): boolean {
  return Object.entries(after).every(([name, value]) => isDeepStrictEqual(before[name as keyof DraftFacts], value));
}
