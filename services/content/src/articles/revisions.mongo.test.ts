import { randomBytes } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ListArticleRevisionsRequest,
  PutOutcome,
  RevisionVisibility,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { bounds } from '@knowledge/runtime/product';
import { allPages } from '@knowledge/runtime/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { asEditor, moved, openWatcher, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

const { NEVER, EARLIER, NOW } = RevisionVisibility;
const named = (slug: string) => ({ site: Site.ORG, slug });
const { put, found } = served;
const list = (slug: string, part: Partial<ListArticleRevisionsRequest> = {}) =>
  served.editorial.listArticleRevisions({ ...named(slug), pageSize: 0, pageToken: '', ...part }, asEditor);
const get = (slug: string, revision: number) =>
  served.editorial.getArticleRevision({ ...named(slug), revision }, asEditor);
const restore = (slug: string, revision: number, expectedRevision: number, call = asEditor) => {
  const request = { ...moved(slug, expectedRevision, 'the figures were right'), revision };
  return served.editorial.restoreArticleRevision(request, call);
};
const notFound = { code: 'not_found' };
const stale = { code: 'invalid_state', grpcStatus: 10 };

describe('the list of revisions', () => {
  it('says of each revision who made it, what changed and whether readers saw it, newest first', async () => {
    await put('listed', { reason: 'first', body: 'Some words.' });
    await served.editorial.publishArticle(moved('listed'), asEditor);
    await put('listed', { title: 'Another', body: 'Some more words here.' });
    const { revisions, nextPageToken } = await list('listed');
    expect(nextPageToken).toBe('');
    expect(revisions).toMatchObject([
      {
        transition: { fromState: 'published', toState: 'published', actor: 'editor@test', revision: 3 },
        ...{ visibility: NOW, changedFields: ['title', 'body'], wordsAdded: 2, wordsRemoved: 0, restoredRevision: 0 },
      },
      {
        transition: { fromState: 'draft', toState: 'published', revision: 2 },
        ...{ visibility: EARLIER, changedFields: ['published_at'], wordsAdded: 0, wordsRemoved: 0 },
      },
      {
        transition: { fromState: '', toState: 'draft', reason: 'first', revision: 1 },
        ...{ visibility: NEVER, changedFields: ['title', 'tags', 'author', 'language', 'body'], wordsAdded: 2 },
      },
    ]);
    expect(revisions[0]?.transition?.occurredAt).toBeInstanceOf(Date);
  });

  it('has pages that do not move when a revision is added meanwhile', async () => {
    for (let each = 1; each <= 7; each++) await put('paged', { title: `Title ${each}` });
    let later = 0;
    const pages = await allPages(async (pageToken) => {
      const page = await list('paged', { pageSize: 3, pageToken });
      await put('paged', { title: `Later ${later++}` });
      return page;
    });
    const revisions = pages.flatMap((page) => page.revisions);
    expect(revisions.map(({ transition }) => transition?.revision)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(revisions.every(({ changedFields }) => changedFields.includes('title'))).toBe(true);
  });

  it('refuses a token of another article and a size that it does not have', async () => {
    await put('paged-too');
    const { nextPageToken } = await list('paged', { pageSize: 1 });
    for (const wrong of [{ pageToken: nextPageToken }, { pageSize: 51 }])
      await expect(list('paged-too', wrong)).rejects.toMatchObject({ code: 'validation_error' });
    await expect(list('nowhere')).rejects.toMatchObject(notFound);
    await expect(list('No Slug')).rejects.toMatchObject(notFound);
  });

  it('lists a full page of the largest bodies', async () => {
    const bodyOf = (seed: number) => `${seed} ${randomBytes(bounds.articleBytes).toString('hex')}`.replace(/0/g, ' ');
    const largest = (seed: number) => bodyOf(seed).slice(0, bounds.articleBytes);
    await put('large', { body: largest(1) });
    const [articles, revisions] = ['articles', 'article_revisions'].map((each) =>
      served.db.collection<{ _id: string; transition: object }>(each),
    );
    const first = await revisions?.findOne({ _id: 'org/large/1' });
    if (first === null || first === undefined) throw new Error('The put stored no revision.');
    const more = Array.from({ length: 50 }, (_, at) => ({
      ...{ ...first, _id: `org/large/${at + 2}`, revision: at + 2, body: largest(at + 2) },
      transition: { ...first.transition, revision: at + 2 },
    }));
    await revisions?.insertMany(more);
    await articles?.updateOne({ _id: 'org/large' }, { $set: { revision: 51 } });
    const page = await list('large', { pageSize: 50 });
    expect(page.revisions.map(({ transition }) => transition?.revision)).toEqual(
      Array.from({ length: 50 }, (_, at) => 51 - at),
    );
    for (const { wordsAdded, wordsRemoved } of page.revisions)
      expect(Math.min(wordsAdded, wordsRemoved)).toBeGreaterThan(1000);
    expect((await get('large', 1)).body).toHaveLength(bounds.articleBytes);
  });
});

describe('one revision', () => {
  it('has all facts and the whole text as they were', async () => {
    const body = `<script>alert(1)</script> ${'x'.repeat(8000)}`;
    await put('read', { title: 'First', summary: 'S', tags: ['a', 'b'], author: 'Ann', language: 'pl', body });
    await put('read', { title: 'Second', body: 'short' });
    const first = await get('read', 1);
    expect(first).toMatchObject({
      revision: { transition: { revision: 1 }, visibility: NEVER, wordsRemoved: 0 },
      entry: { title: 'First', summary: 'S', tags: ['a', 'b'], author: 'Ann', language: 'pl', revision: 1 },
      body,
    });
    expect(await get('read', 2)).toMatchObject({
      revision: { transition: { revision: 2 }, changedFields: ['title', 'summary', 'tags', 'language', 'body'] },
      body: 'short',
    });
    for (const none of [0, -1, 3]) await expect(get('read', none)).rejects.toMatchObject(notFound);
    await expect(get('read', 3)).rejects.toThrow('There is no revision 3 of this article; it has 2.');
  });

  it('is gone with its article, and a new article of the name begins anew', async () => {
    await put('gone', { body: 'A secret.' });
    await put('gone', { body: 'No secret.' });
    await served.editorial.deleteArticle(moved('gone', 2), asEditor);
    for (const ask of [() => list('gone'), () => get('gone', 1), () => restore('gone', 1, 2)])
      await expect(ask()).rejects.toMatchObject(notFound);
    await put('gone', { body: 'New.' });
    expect((await list('gone')).revisions).toHaveLength(1);
    expect((await get('gone', 1)).body).toBe('New.');
  });
});

describe('a restoration', () => {
  it('gives readers, search and watches of a published article the old text as a new revision', async () => {
    const publishedAt = new Date('2026-01-01T00:00:00Z');
    await put('restored', { title: 'About walruses', tags: ['sea'], body: 'A walrus.', publish: true, publishedAt });
    await put('restored', { title: 'About tapirs', tags: ['land'], body: 'A tapir.' });
    expect([await found('walrus'), await found('tapir')]).toEqual([0, 1]);
    const watcher = openWatcher(served);
    await watcher.started;

    const { article, outcome } = await restore('restored', 1, 2);
    expect(outcome).toBe(PutOutcome.UPDATED);
    expect(article).toMatchObject({
      state: ArticleState.PUBLISHED,
      entry: { title: 'About walruses', tags: ['sea'], revision: 3, publishedAt },
    });
    expect(await served.read('restored')).toMatchObject([{ $case: 'article', value: { body: 'A walrus.' } }]);
    expect([await found('walrus'), await found('tapir')]).toEqual([1, 0]);
    const change = { site: Site.ORG, key: 'restored', tags: ['land', 'sea'] };
    await vi.waitFor(() => expect(watcher.changes.at(-1)).toMatchObject(change));
    watcher.call.cancel();
    await watcher.over;
    expect((await list('restored')).revisions[0]).toMatchObject({
      transition: { actor: 'editor@test', reason: 'the figures were right', fromState: 'published' },
      ...{ visibility: NOW, restoredRevision: 1, wordsAdded: 1, wordsRemoved: 1 },
    });
    expect((await served.record('restored'))?.history.at(-1)).toMatchObject({
      revision: 3,
      reason: 'the figures were right',
    });
  });

  it('by two editors at once is one revision, and the other one learns of it', async () => {
    for (const title of ['One', 'Two', 'Three']) await put('raced', { title });
    const outcomes = await Promise.allSettled([restore('raced', 1, 3), restore('raced', 2, 3)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: stale });
    expect((await list('raced')).revisions).toHaveLength(4);
    await expect(restore('raced', 1, 3 - 1)).rejects.toMatchObject(stale);
  });

  it('needs an actor, a revision that exists, and the revision that the editor saw', async () => {
    await put('strict');
    await put('strict', { title: 'New' });
    for (const none of [9, 0]) await expect(restore('strict', none, 2)).rejects.toMatchObject(notFound);
    await expect(restore('nowhere', 1, 1)).rejects.toMatchObject(notFound);
    await expect(restore('strict', 1, 0)).rejects.toMatchObject({ code: 'validation_error' });
    const nobody = { requestId: 'test' } as typeof asEditor;
    await expect(restore('strict', 1, 2, nobody)).rejects.toMatchObject({ code: 'validation_error' });
    expect((await list('strict')).revisions).toHaveLength(2);
  });
});
