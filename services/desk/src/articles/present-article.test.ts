import { ArticleRevision, RevisionVisibility } from '@knowledge/proto/knowledge/content/v1/editorial';
import { expect, it } from 'vitest';
import { changeOf, presentRevision, readersOf } from './present-article.js';

const view = (from: string, to: string, part: Partial<ArticleRevision> = {}) =>
  presentRevision(
    ArticleRevision.fromPartial({
      transition: { fromState: from, toState: to, actor: 'ada', revision: 4 },
      visibility: RevisionVisibility.NOW,
      ...part,
    } as object),
  );

it.each([
  [view('', 'draft', { changedFields: ['title', 'body'], wordsAdded: 120 }), 'new draft'],
  [view('draft', 'published', { changedFields: ['published_at'] }), 'draft → published; published at'],
  [view('published', 'archived'), 'published → archived'],
  [
    view('published', 'published', { changedFields: ['title', 'body'], wordsAdded: 12, wordsRemoved: 3 }),
    'title, body (+12 −3 words)',
  ],
  [view('draft', 'draft', { changedFields: ['body'], wordsRemoved: 3 }), 'body (−3 words)'],
  [view('draft', 'draft', { changedFields: ['body'] }), 'body'],
  [
    view('draft', 'draft', { changedFields: ['tags', 'body'], wordsAdded: 1, restoredRevision: 2 }),
    'revision 2 restored: tags, body (+1 word)',
  ],
])('%#', (revision, words) => {
  expect(changeOf(revision)).toBe(words);
});

it('says what readers saw', () => {
  const words = [RevisionVisibility.NOW, RevisionVisibility.EARLIER, RevisionVisibility.NEVER].map((visibility) =>
    readersOf(view('', 'draft', { visibility })),
  );
  expect(words).toEqual(['see it', 'saw it', '']);
  expect(view('', 'draft').restored_revision).toBeNull();
});
