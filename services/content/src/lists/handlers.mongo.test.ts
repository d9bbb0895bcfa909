import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { GetArticlesResult } from '@knowledge/proto/knowledge/content/v1/content';
import { fromStatus } from '@knowledge/runtime/grpc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { articlePut } from '../testing/put.js';
import { asEditor, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

const call = { requestId: 'reader' };
const empty = { site: Site.IO, pageSize: 0, pageToken: '', query: '', tag: '', updatedSince: undefined };

async function get(...slugs: string[]): Promise<GetArticlesResult['outcome'][]> {
  const items = slugs.map((slug) => ({ context: undefined, site: Site.ORG, slug }));
  return (await served.content.getArticles({ items }, call)).results.map(({ outcome }) => outcome);
}

async function related(slug: string): Promise<string[]> {
  const [outcome] = await get(slug);
  return outcome?.$case === 'article' ? outcome.value.related.map((each) => each.slug) : [];
}

const name = (slug: string) => ({ site: Site.ORG, slug, expectedRevision: 0, reason: '' });

describe('GetArticles', () => {
  beforeEach(async () => {
    for (const [slug, tags] of Object.entries({ a: ['t', 'u'], b: ['t'], c: ['t', 'u'], d: ['u'], e: ['other'] })) {
      const publishedAt = new Date(Date.UTC(2026, 0, 10 - slug.charCodeAt(0) + 97));
      await served.editorial.putArticle(articlePut({ slug, tags, publishedAt, publish: true }), asEditor);
    }
    await served.editorial.putArticle(articlePut({ slug: 'draft' }), asEditor);
  });

  it('responds to each item separately, in order', async () => {
    const outcomes = await get('a', 'missing', 'Not A Slug', 'draft', 'b', 'a');
    expect(outcomes.map((each) => each?.$case)).toEqual(['article', 'error', 'error', 'error', 'article', 'article']);
    for (const outcome of outcomes) {
      if (outcome?.$case !== 'error') continue;
      expect(fromStatus(outcome.value).code).toBe('not_found');
      expect(outcome.value.code).toBe(5);
    }
    const [first] = outcomes;
    expect(first?.$case === 'article' && first.value).toMatchObject({
      entry: { slug: 'a', site: Site.ORG, wordCount: 3, revision: 1 },
      body: 'Some **bold** words.',
    });
  });

  it('responds to a malformed name exactly as to an unknown name', async () => {
    const [unknown, malformed] = await get('missing', '$where');
    expect(malformed).toEqual(unknown);
  });

  it('lists related articles, and shows their changes at once', async () => {
    const { editorial } = served;
    expect(await related('a')).toEqual(['c', 'b', 'd']);
    expect(await related('e')).toEqual([]);
    await editorial.archiveArticle(name('c'), asEditor);
    expect(await related('a')).toEqual(['b', 'd']);
    await editorial.putArticle(articlePut({ slug: 'new', tags: ['u', 't'], publish: true }), asEditor);
    expect(await related('a')).toEqual(['new', 'b', 'd']);
    await editorial.putArticle(articlePut({ slug: 'new', title: 'Renamed', tags: ['u'], publish: true }), asEditor);
    expect(await related('a')).toEqual(['new', 'b', 'd']);
    const [outcome] = await get('a');
    expect(outcome?.$case === 'article' && outcome.value.related[0]?.title).toBe('Renamed');
    await editorial.returnArticleToDraft(name('new'), asEditor);
    expect(await related('a')).toEqual(['b', 'd']);
  });

  it('returns a part of a batch that is too large, so that the caller can request the rest again', async () => {
    const slugs = Array.from({ length: 20 }, (_, index) => `large-${index}`);
    for (const slug of slugs) {
      await served.editorial.putArticle(articlePut({ slug, body: 'é'.repeat(99_999), publish: true }), asEditor);
    }
    const asked = await get(...slugs);
    const given = asked.filter((each) => each?.$case === 'article').length;
    expect(given).toBeGreaterThan(15);
    expect(given).toBeLessThan(20);
    const left = asked.findLast((each) => each?.$case === 'error');
    expect(left?.$case === 'error' && fromStatus(left.value)).toMatchObject({
      code: 'unavailable',
      metadata: { batch: 'full' },
    });
    expect((await get(...slugs.slice(given))).every((each) => each?.$case === 'article')).toBe(true);
  });

  it('refuses more than 256 items and an item without a site', async () => {
    await expect(get(...Array.from({ length: 257 }, () => 'a'))).rejects.toMatchObject({ code: 'validation_error' });
    const items = [{ context: undefined, site: Site.UNSPECIFIED, slug: 'a' }];
    const [result] = (await served.content.getArticles({ items }, call)).results;
    expect(result?.outcome?.$case === 'error' && fromStatus(result.outcome.value).code).toBe('validation_error');
  });
});

describe('ListArticles', () => {
  beforeAll(async () => {
    for (let index = 0; index < 5; index++) {
      const put = articlePut({ site: Site.IO, slug: `l-${index}`, title: `Lamp ${index}`, publish: true });
      await served.editorial.putArticle({ ...put, tags: index < 2 ? ['two'] : [] }, asEditor);
    }
  });

  it('lists all list pages with an exact total', async () => {
    const first = await served.content.listArticles({ ...empty, pageSize: 3 }, call);
    expect(first.entries.map(({ slug }) => slug)).toEqual(['l-4', 'l-3', 'l-2']);
    expect(first.total).toBe(5);
    const second = await served.content.listArticles({ ...empty, pageSize: 3, pageToken: first.nextPageToken }, call);
    expect(second.entries.map(({ slug }) => slug)).toEqual(['l-1', 'l-0']);
    expect(second.nextPageToken).toBe('');
  });

  it('returns the number of hits with a query, and no total with another filter', async () => {
    expect((await served.content.listArticles({ ...empty, query: 'lamp', pageSize: 1 }, call)).total).toBe(5);
    for (const filter of [{ tag: 'two' }, { updatedSince: new Date(0) }]) {
      const page = await served.content.listArticles({ ...empty, ...filter }, call);
      expect(page.entries).toHaveLength('tag' in filter ? 2 : 5);
      expect(page.total).toBeUndefined();
    }
  });

  it.each([
    ['site', { site: Site.UNSPECIFIED }],
    ['page_size', { pageSize: 201 }],
    ['page_token', { pageToken: 'nonsense' }],
    ['tag', { tag: 'Not a tag' }],
    ['query', { query: 'a'.repeat(501) }],
  ])('refuses a bad %s', async (field, part) => {
    await expect(served.content.listArticles({ ...empty, ...part }, call)).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(field),
    });
  });

  it('refuses the token of another listing', async () => {
    const { nextPageToken } = await served.content.listArticles({ ...empty, pageSize: 2 }, call);
    const request = { ...empty, tag: 'two', pageToken: nextPageToken };
    await expect(served.content.listArticles(request, call)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

it('an archived article is in no response to a request that came after the acknowledgement', async () => {
  const { content, editorial } = served;
  await editorial.putArticle(articlePut({ slug: 'seen', tags: ['w'], publish: true }), asEditor);
  await editorial.putArticle(articlePut({ slug: 'other', tags: ['w'], publish: true }), asEditor);
  const highlights = [
    { slug: 'seen', editorNote: '' },
    { slug: 'other', editorNote: 'why' },
  ];
  await editorial.setHighlights({ site: Site.ORG, highlights }, asEditor);
  for (let round = 0; round < 50; round++) {
    await editorial.publishArticle(name('seen'), asEditor);
    expect(await related('other')).toContain('seen');
    await editorial.archiveArticle(name('seen'), asEditor);
    const [[article], list, curated, others] = await Promise.all([
      get('seen'),
      content.listArticles({ ...empty, site: Site.ORG, tag: 'w' }, call),
      content.listHighlights({ site: Site.ORG }, call),
      related('other'),
    ]);
    expect(article?.$case).toBe('error');
    expect(list.entries.map(({ slug }) => slug)).toEqual(['other']);
    expect(curated.highlights).toMatchObject([{ entry: { slug: 'other' }, position: 1, editorNote: 'why' }]);
    expect(others).toEqual([]);
  }
});
