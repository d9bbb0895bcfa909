import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleDraftRequest } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ArticleState, ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { collect } from '@knowledge/runtime/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { articleText, glossPut } from '../testing/put.js';
import { asEditor, moved, openWatcher, serveContent, serveReplica } from '../testing/serve-content.js';

const served = await serveContent();
const replica = await serveReplica(served);
afterAll(async () => {
  await replica.close();
  await served.close();
});

const named = (slug: string) => ({ site: Site.ORG, slug });
const put = (slug: string, part: Partial<PutArticleRequest> = {}) => served.put(slug, { publish: true, ...part });
const draft = (slug: string, part: Partial<PutArticleDraftRequest> = {}, actor = 'ann') => {
  const request: object = { ...named(slug), title: 'Next', body: 'Rewritten zebra.', baseRevision: 1, ...part };
  return served.articleDrafts.putArticleDraft(PutArticleDraftRequest.fromPartial(request), { ...asEditor, actor });
};
const publish = (slug: string, at?: Date, call: { requestId: string; actor: string } = asEditor) =>
  served.articleDrafts.publishArticleDraft({ ...moved(slug, 0, 'in time'), at }, call);
const { record } = served;
const read = async (slug: string, of = served) => {
  const [outcome] = await of.read(slug);
  return outcome?.$case === 'article' ? outcome.value.entry?.title : undefined;
};
const found = (of = served) => of.found('zebra');
const notFound = { code: 'not_found' };
const stale = { code: 'invalid_state', grpcStatus: 10 };

describe('the draft of a published article', () => {
  it('is seen by editors only', async () => {
    await put('quiet');
    const watcher = openWatcher(replica);
    await watcher.started;
    expect((await draft('quiet', { validateOnly: true })).outcome).toBe(PutOutcome.CREATED);
    await expect(served.articleDrafts.getArticleDraft(named('quiet'), asEditor)).rejects.toMatchObject(notFound);
    expect((await draft('quiet', { tags: ['t'] })).outcome).toBe(PutOutcome.CREATED);
    expect((await draft('quiet', { tags: ['t'] })).outcome).toBe(PutOutcome.UNCHANGED);
    await draft('quiet', { tags: ['t'], summary: 'S' }, 'ben');
    const { draft: stored } = await served.articleDrafts.getArticleDraft(named('quiet'), asEditor);
    const notice = { revision: 2, baseRevision: 1, authors: ['ann', 'ben'], publishAt: undefined, scheduledBy: '' };
    expect(stored).toMatchObject({
      entry: { title: 'Next', summary: 'S', tags: ['t'], language: 'en', revision: 1, wordCount: 2 },
      ...{ body: 'Rewritten zebra.', articleRevision: 1, notice },
    });
    expect(await read('quiet')).toBe('An article');
    expect(await found()).toBe(0);
    await watcher.ping();
    expect(watcher.changes).toEqual([]);
    watcher.call.cancel();
    expect((await record('quiet'))?.draft).toMatchObject(notice);
    const all = { site: Site.ORG, state: ArticleState.PUBLISHED, pageSize: 0, pageToken: '' };
    const { articles } = await replica.editorial.listArticleRecords(all, asEditor);
    expect(articles.find(({ entry }) => entry?.slug === 'quiet')?.draft).toMatchObject(notice);
  });

  it('becomes the next revision for every reader, and its text is gone', async () => {
    await put('shown', { tags: ['old'] });
    await draft('shown', { tags: ['new'] });
    const watcher = openWatcher(replica);
    await watcher.started;
    const { article } = await publish('shown');
    expect(article).toMatchObject({ state: ArticleState.PUBLISHED, entry: { title: 'Next', revision: 2 } });
    expect(article?.draft).toBeUndefined();
    // A repeat of the same request succeeds. Another request gets an error.
    expect((await publish('shown')).article).toMatchObject({ entry: { title: 'Next', revision: 2 } });
    await expect(publish('shown', undefined, { ...asEditor, requestId: 'r' })).rejects.toMatchObject(notFound);
    expect([await read('shown'), await read('shown', replica)]).toEqual(['Next', 'Next']);
    expect([await found(), await found(replica)]).toEqual([1, 1]);
    await watcher.ping();
    expect(watcher.changes).toMatchObject([{ key: 'shown', tags: ['old', 'new'] }]);
    watcher.call.cancel();
    expect((await record('shown'))?.history.at(-1)).toMatchObject({
      ...{ fromState: 'published', toState: 'published', actor: 'editor@test', reason: 'in time', revision: 2 },
    });
    const left = await served.db.collection<{ _id: string }>('article_drafts').findOne({ _id: 'org/shown' });
    expect(JSON.stringify(left)).not.toContain('zebra');
    // The revisions of the next draft go on, so an old expectation never meets it.
    expect((await draft('shown', { baseRevision: 2 })).draft?.notice?.revision).toBe(3);
    await served.articleDrafts.discardArticleDraft(moved('shown'), asEditor);
  });

  it('is discarded, kept by an archive and deleted with its article', async () => {
    const { articleDrafts, editorial, db } = served;
    await put('over');
    await expect(articleDrafts.discardArticleDraft(moved('over'), asEditor)).rejects.toMatchObject(notFound);
    await draft('over');
    await expect(articleDrafts.discardArticleDraft(moved('over', 7), asEditor)).rejects.toMatchObject(stale);
    await articleDrafts.discardArticleDraft(moved('over', 1), asEditor);
    await articleDrafts.discardArticleDraft(moved('over', 1), asEditor);
    await expect(articleDrafts.getArticleDraft(named('over'), asEditor)).rejects.toMatchObject(notFound);
    expect((await record('over'))?.draft).toBeUndefined();

    await draft('over');
    await editorial.archiveArticle(moved('over'), asEditor);
    expect((await record('over'))?.draft).toMatchObject({ baseRevision: 1 });
    await editorial.returnArticleToDraft(moved('over'), asEditor);
    await editorial.deleteArticle(moved('over'), asEditor);
    expect(await db.collection<{ _id: string }>('article_drafts').findOne({ _id: 'org/over' })).toBeNull();
    for (const slug of ['over', 'none', 'Not a slug']) {
      await expect(draft(slug)).rejects.toMatchObject({ code: expect.stringMatching(/not_found|validation_error/) });
      await expect(articleDrafts.getArticleDraft(named(slug), asEditor)).rejects.toMatchObject(notFound);
      await expect(publish(slug)).rejects.toMatchObject(notFound);
    }
  });
});

describe('a scheduled draft', () => {
  it('appears at its time once, though two replicas publish it', async () => {
    const slugs = Array.from({ length: 6 }, (_, each) => `timed-${each}`);
    for (const slug of slugs) {
      await put(slug);
      await draft(slug);
    }
    const watchers = [served, replica].map((each) => openWatcher(each));
    await Promise.all(watchers.map(({ started }) => started));
    const at = new Date(Date.now() + 1500);
    for (const slug of slugs) {
      const { article } = await publish(slug, at, { ...asEditor, actor: 'ben' });
      expect(article?.draft).toMatchObject({ publishAt: at, scheduledBy: 'ben', revision: 2 });
    }
    for (const { changes } of watchers) {
      await vi.waitFor(() => expect(changes.map(({ key }) => key).sort()).toEqual(slugs), { timeout: 10_000 });
    }
    for (const watcher of watchers) {
      await watcher.ping();
      expect(watcher.changes).toHaveLength(slugs.length);
      watcher.call.cancel();
    }
    for (const slug of slugs) {
      const now = await record(slug);
      expect(now?.history).toHaveLength(2);
      expect(now?.history[1]).toMatchObject({ actor: 'ben', reason: 'in time', revision: 2 });
      expect(now?.history[1]?.occurredAt?.getTime()).toBeGreaterThanOrEqual(at.getTime());
      expect([now?.entry?.title, now?.draft]).toEqual(['Next', undefined]);
    }
  });

  it('loses its time at once when the article changes, and says why until somebody changes it', async () => {
    const at = new Date('2200-01-01T00:00:00Z');
    await put('late', { language: 'de' });
    await draft('late');
    await publish('late', at);
    await served.searchWords.putGloss(glossPut(articleText('late'), 'No revision'), asEditor);
    expect((await put('late', { title: 'Meanwhile', validateOnly: true })).article?.draft?.publishAt).toEqual(at);
    await put('late', { title: 'Meanwhile' });
    const missedReason = 'editor@test changed the article first (revision 2).';
    const lost = { baseRevision: 1, revision: 3, publishAt: undefined, missedAt: at, missedReason };
    expect((await record('late'))?.draft).toMatchObject(lost);
    await draft('late', { baseRevision: 2 });
    expect((await record('late'))?.draft).toMatchObject({ revision: 4, missedAt: undefined, missedReason: '' });
    for (const change of ['archiveArticle', 'returnArticleToDraft', 'publishArticle'] as const) {
      const slug = `lost-${change.toLowerCase()}`;
      await put(slug);
      await draft(slug);
      if (change === 'publishArticle') await served.editorial.archiveArticle(moved(slug), asEditor);
      const baseRevision = (await record(slug))?.entry?.revision ?? 0;
      await draft(slug, { baseRevision });
      await publish(slug, at);
      await served.editorial[change](moved(slug), asEditor);
      expect((await record(slug))?.draft).toMatchObject({ publishAt: undefined, missedAt: at });
    }
  });

  it('is taken back, and refuses a time that has passed', async () => {
    await put('back');
    await draft('back');
    await expect(publish('back', new Date(Date.now() - 1))).rejects.toMatchObject({ code: 'validation_error' });
    await publish('back', new Date('2200-01-01T00:00:00Z'));
    const { draft: now } = await served.articleDrafts.unscheduleArticleDraft(moved('back', 2), asEditor);
    expect(now?.notice).toMatchObject({ revision: 3, publishAt: undefined, scheduledBy: '' });
  });
});

it('tells editors of every transition', async () => {
  const { seen, stop } = collect(served.editorial.watchEditorial({ afterCursor: '0' }, asEditor));
  const of = (slug: string) =>
    seen
      .filter(({ subject, key }) => subject === ChangeSubject.ARTICLE_DRAFT && key === slug)
      .map(({ transition }) => `${transition?.fromState} → ${transition?.toState} by ${transition?.actor}`);
  await vi.waitFor(() => expect(of('back')).toHaveLength(3));
  expect(of('late')).toEqual([
    ' → draft by ann',
    'draft → scheduled by editor@test',
    'scheduled → draft by editor@test',
    'draft → draft by ann',
  ]);
  expect(of('timed-0')).toEqual([' → draft by ann', 'draft → scheduled by ben', 'scheduled → published by ben']);
  expect(of('over').slice(0, 2)).toEqual([' → draft by ann', 'draft → discarded by editor@test']);
  stop();
});
