import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { afterAll, expect, it, vi } from 'vitest';
import { articlePut, objectPut } from '../testing/put.js';
import { asEditor, moved, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

it('stores every revision of an article with actor, time and reason', async () => {
  const { editorial } = served;
  const created = await served.put('kept', { reason: 'first' });
  expect(created.outcome).toBe(PutOutcome.CREATED);
  expect(created.article?.state).toBe(ArticleState.DRAFT);
  await editorial.publishArticle(moved('kept', 1, 'ready'), asEditor);
  await editorial.archiveArticle(moved('kept', 2, 'wrong'), asEditor);
  const article = await served.record('kept');
  expect(article?.body).toBe('Some **bold** words.');
  expect(article?.history).toMatchObject([
    { fromState: '', toState: 'draft', reason: 'first', revision: 1, actor: 'editor@test' },
    { fromState: 'draft', toState: 'published', reason: 'ready', revision: 2, actor: 'editor@test' },
    { fromState: 'published', toState: 'archived', reason: 'wrong', revision: 3, actor: 'editor@test' },
  ]);
  expect(article?.entry).toMatchObject({ wordCount: 3, revision: 3, language: 'en' });
});

it('reports every invalid field and its bound', async () => {
  const message = expect.stringMatching(/site .*title .*body /);
  const bad = served.put('bad', { site: Site.UNSPECIFIED, title: ' ', body: '' });
  await expect(bad).rejects.toMatchObject({ code: 'validation_error', message });
  const object = objectPut({ site: Site.UNSPECIFIED, kind: ObjectKind.UNSPECIFIED, title: '' });
  const fault = /site is required.*kind must be knowledge.*title is required/;
  await expect(served.editorial.putObject(object, asEditor)).rejects.toThrow(fault);
});

it('refuses a change without an actor', async () => {
  const byNobody = served.editorial.putArticle(articlePut({ slug: 'nobody' }), { requestId: 'test' });
  await expect(byNobody).rejects.toMatchObject({ code: 'validation_error' });
});

it('writes nothing for an equal put, and no second revision for a repeated call', async () => {
  const { editorial, db } = served;
  const asked = articlePut({ slug: 'twice', publish: true });
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => editorial.putArticle(asked, asEditor)));
  const { CREATED, UNCHANGED } = PutOutcome;
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([CREATED, UNCHANGED, UNCHANGED, UNCHANGED]);
  expect(await db.collection('article_revisions').countDocuments({ article: 'org/twice' })).toBe(1);
  const name = moved('twice', 1);
  const answers = await Promise.all([1, 2, 3].map(() => editorial.archiveArticle(name, asEditor)));
  expect(answers.map(({ article }) => article?.entry?.revision)).toEqual([2, 2, 2]);
  await expect(editorial.publishArticle(name, asEditor)).rejects.toMatchObject({
    code: 'invalid_state',
    grpcStatus: 10,
  });
});

it('counts exactly when many articles change in parallel', async () => {
  const { editorial, content, db } = served;
  const slugs = Array.from({ length: 8 }, (_, index) => `counted-${index}`);
  await Promise.all(
    slugs.map(async (slug, index) => {
      const name = { site: Site.IO, slug, expectedRevision: 0, reason: '' };
      await editorial.putArticle(articlePut({ site: Site.IO, slug }), asEditor);
      await editorial.publishArticle(name, asEditor);
      if (index % 2 === 0) await editorial.archiveArticle(name, asEditor);
      if (index % 4 === 0) await editorial.returnArticleToDraft(name, asEditor);
    }),
  );
  const request = { site: Site.IO, pageSize: 0, pageToken: '', query: '', tag: '', updatedSince: undefined };
  expect((await content.listArticles(request, asEditor)).total).toBe(4);
  const positions = await db.collection<{ _id: number }>('changes').find().sort({ _id: 1 }).toArray();
  expect(positions.map(({ _id }) => Number(_id))).toEqual(positions.map((_, index) => index + 1));
});

it('finds articles in any state by words, tag and a lost time, and sorts them by title', async () => {
  const { editorial, articleDrafts } = served;
  const titles = ['Über (Lager) 10.5', 'alpha lager', 'Beta lager [x]', 'Gamma lagers'];
  for (const [at, title] of titles.entries()) {
    const tags = at === 1 ? ['rare-tag'] : [];
    await served.put(`lager-${at}`, { title, tags, publish: at === 2 });
  }
  const all = { site: Site.UNSPECIFIED, state: ArticleState.UNSPECIFIED, pageSize: 0, pageToken: '' };
  const find = async (filter: object) => {
    const { articles } = await editorial.listArticleRecords({ ...all, ...filter }, asEditor);
    return articles.map(({ entry }) => entry?.title);
  };
  expect(await find({ query: 'LAGER' })).toEqual(titles.toReversed());
  expect(await find({ query: ' lager  10.5 ' })).toEqual([titles[0]]);
  expect(await find({ query: 'über (la' })).toEqual([titles[0]]);
  expect(await find({ query: 'lager .' })).toEqual([titles[0]]);
  expect(await find({ query: 'lager-2 [x]' })).toEqual([titles[2]]);
  expect(await find({ query: 'lager', tag: 'rare-tag', byTitle: true })).toEqual([titles[1]]);
  expect(await find({ query: 'lager', state: ArticleState.PUBLISHED })).toEqual([titles[2]]);
  const byTitle = { ...all, query: 'lager', byTitle: true, pageSize: 3 };
  const first = await editorial.listArticleRecords(byTitle, asEditor);
  const next = await editorial.listArticleRecords({ ...byTitle, pageToken: first.nextPageToken }, asEditor);
  const sorted = [...first.articles, ...next.articles].map(({ entry }) => entry?.title);
  expect([sorted, next.nextPageToken]).toEqual([['alpha lager', 'Beta lager [x]', 'Gamma lagers', titles[0]], '']);
  for (const filter of [{ query: 'a '.repeat(9) }, { query: 'x'.repeat(201) }, { tag: 'Not a tag' }]) {
    await expect(find(filter)).rejects.toMatchObject({ code: 'validation_error' });
  }

  const name = { site: Site.ORG, slug: 'lager-2' };
  const draft = articlePut({ ...name, title: 'Next' });
  await articleDrafts.putArticleDraft({ ...draft, baseRevision: 1, validateOnly: false }, asEditor);
  const at = new Date('2200-01-01T00:00:00Z');
  await articleDrafts.publishArticleDraft({ ...moved('lager-2'), at }, asEditor);
  expect(await find({ missed: true })).toEqual([]);
  await editorial.archiveArticle(moved('lager-2'), asEditor);
  expect(await find({ missed: true })).toEqual([titles[2]]);
  expect(await find({ missed: true, byTitle: true, query: 'alpha' })).toEqual([]);
});

it('lists articles in any state, last changed first', async () => {
  const { editorial } = served;
  await served.put('last', { title: 'Changed' });
  const request = { site: Site.UNSPECIFIED, state: ArticleState.UNSPECIFIED, pageSize: 3, pageToken: '' };
  const page = await editorial.listArticleRecords(request, asEditor);
  expect(page.articles[0]).toMatchObject({ entry: { slug: 'last' }, state: ArticleState.DRAFT, body: '' });
  const next = await editorial.listArticleRecords({ ...request, pageToken: page.nextPageToken }, asEditor);
  const times = [...page.articles, ...next.articles].map(({ entry }) => Number(entry?.updatedAt));
  expect(times).toEqual([...times].sort((a, b) => b - a));
  const { DRAFT, SCHEDULED, PUBLISHED, ARCHIVED } = ArticleState;
  for (const wanted of [DRAFT, SCHEDULED, PUBLISHED, ARCHIVED]) {
    const { articles } = await editorial.listArticleRecords({ ...request, state: wanted, pageSize: 200 }, asEditor);
    expect(articles.filter(({ state }) => state !== wanted)).toEqual([]);
  }
  const other = { ...request, state: ArticleState.DRAFT, pageToken: page.nextPageToken };
  await expect(editorial.listArticleRecords(other, asEditor)).rejects.toMatchObject({ code: 'validation_error' });
});

it('publishes a scheduled article by itself at its time, and not before', async () => {
  const { editorial, db } = served;
  const shown = async () => (await served.read('later'))[0]?.$case;
  const publishedAt = new Date(Date.now() + 86_400_000);
  const put = articlePut({ slug: 'later', publish: true, publishedAt });
  const { article } = await editorial.putArticle(put, asEditor);
  expect(article?.state).toBe(ArticleState.SCHEDULED);
  expect(await shown()).toBe('error');
  expect((await editorial.putArticle(put, asEditor)).outcome).toBe(PutOutcome.UNCHANGED);
  // Moves the stored times back by a day, so that the time of publication has come.
  const articles = db.collection<{ _id: string }>('articles');
  await articles.updateOne({ _id: 'org/later' }, { $set: { publishedAt: new Date(0) } });
  await vi.waitFor(async () => expect(await shown()).toBe('article'), { timeout: 10_000 });
  expect(
    (await served.record('later'))?.history.map(({ fromState, toState, actor }) => [fromState, toState, actor]),
  ).toEqual([
    ['', 'scheduled', 'editor@test'],
    ['scheduled', 'published', 'content/clock'],
  ]);
});

it('deletes a draft with its text, and refuses other articles', async () => {
  const { editorial, db } = served;
  const name = moved('mistake', 0, 'by mistake');
  await served.put('mistake', { publish: true });
  await expect(editorial.deleteArticle(name, asEditor)).rejects.toMatchObject({ code: 'invalid_state' });
  await editorial.returnArticleToDraft(name, asEditor);
  const stale = editorial.deleteArticle({ ...name, expectedRevision: 1 }, asEditor);
  await expect(stale).rejects.toMatchObject({ grpcStatus: 10 });
  await editorial.deleteArticle(name, asEditor);
  // A repeat of the same request succeeds. Another request id or another editor gets an error.
  await editorial.deleteArticle(name, asEditor);
  for (const another of [{ requestId: 'another' }, { actor: 'bob' }]) {
    const again = editorial.deleteArticle(name, { ...asEditor, ...another });
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await db.collection('article_revisions').countDocuments({ article: 'org/mistake' })).toBe(0);
  const [last] = await db.collection('changes').find({ key: 'mistake' }).sort({ _id: -1 }).limit(1).toArray();
  expect(last?.['transition']).toMatchObject({ from: 'draft', to: 'deleted', reason: 'by mistake', revision: 3 });
  // A new article may use the name of the deleted one.
  const again = await served.put('mistake');
  expect(again).toMatchObject({ outcome: PutOutcome.CREATED, article: { entry: { revision: 1 } } });
});

it('previews a put without storing it', async () => {
  const { editorial, content, db } = served;
  const before = await db.collection('changes').countDocuments();
  const ask = articlePut({ slug: 'asked-only', publish: true, validateOnly: true });
  expect((await editorial.putArticle(ask, asEditor)).outcome).toBe(PutOutcome.CREATED);
  const stale = editorial.putArticle({ ...ask, expectedRevision: 4 }, asEditor);
  await expect(stale).rejects.toMatchObject({ code: 'invalid_state' });
  const id = randomUUID();
  expect((await editorial.putObject(objectPut({ id, validateOnly: true }), asEditor)).outcome).toBe(PutOutcome.CREATED);
  await expect(content.getObject({ id }, asEditor)).rejects.toMatchObject({ code: 'not_found' });
  expect(await db.collection('changes').countDocuments()).toBe(before);
});

it('accepts only published articles as highlights', async () => {
  const { editorial, db } = served;
  for (const slug of ['h-1', 'h-2']) await served.put(slug, { publish: true });
  await served.put('h-draft');
  const choose = (...slugs: string[]) => {
    const highlights = slugs.map((slug) => ({ slug, editorNote: `why ${slug}` }));
    return editorial.setHighlights({ site: Site.ORG, highlights }, asEditor);
  };
  expect((await choose('h-2', 'h-1')).highlights).toMatchObject([
    { position: 1, entry: { slug: 'h-2' }, editorNote: 'why h-2' },
    { position: 2, entry: { slug: 'h-1' }, editorNote: 'why h-1' },
  ]);
  const before = await db.collection('changes').countDocuments();
  await choose('h-2', 'h-1');
  expect(await db.collection('changes').countDocuments()).toBe(before);
  const message = expect.stringMatching(/h-draft is not.*h-none is not/);
  await expect(choose('h-1', 'h-draft', 'h-none')).rejects.toMatchObject({ code: 'validation_error', message });
  expect((await choose()).highlights).toEqual([]);
});

it('tells an editor that somebody changed the highlights meanwhile', async () => {
  const { editorial, content } = served;
  for (const slug of ['m-1', 'm-2']) await served.put(slug, { publish: true });
  const { revision } = await content.listHighlights({ site: Site.ORG }, asEditor);
  const set = (...slugs: string[]) => {
    const highlights = slugs.map((slug) => ({ slug, editorNote: '' }));
    return editorial.setHighlights({ site: Site.ORG, highlights, expectedRevision: revision }, asEditor);
  };
  await set('m-1', 'm-2');
  // A repeat after a lost response succeeds.
  await set('m-1', 'm-2');
  await expect(set('m-2')).rejects.toMatchObject({ code: 'invalid_state', grpcStatus: 10 });
  const list = await content.listHighlights({ site: Site.ORG }, asEditor);
  expect([list.revision, list.highlights.length]).toEqual([revision + 1, 2]);
});

it('puts and withdraws knowledge objects', async () => {
  const { editorial, content } = served;
  const id = randomUUID();
  expect((await editorial.putObject(objectPut({ id }), asEditor)).outcome).toBe(PutOutcome.CREATED);
  expect((await editorial.putObject(objectPut({ id }), asEditor)).outcome).toBe(PutOutcome.UNCHANGED);
  expect((await editorial.putObject(objectPut({ id, title: 'New' }), asEditor)).outcome).toBe(PutOutcome.UPDATED);
  await editorial.withdrawObject({ id, reason: 'wrong' }, asEditor);
  await editorial.withdrawObject({ id, reason: 'wrong' }, asEditor);
  await expect(content.getObject({ id }, asEditor)).rejects.toMatchObject({ code: 'not_found' });
  const unknown = editorial.withdrawObject({ id: randomUUID(), reason: '' }, asEditor);
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
});
