import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ListArticlesRequest, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import type { PutArticleRequest, PutObjectRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  PutGlossRequest,
  PutSynonymRequest,
  SearchField,
  SearchRequest,
} from '@knowledge/proto/knowledge/content/v1/search';
import type { Environment } from '@knowledge/runtime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { articlePut, objectPut } from './put.js';
import { asEditor, type ServedContent, serveContent } from './serve-content.js';

/** Tests searches in a whole service. An engine that is not immediate finds a change soon. */
export function testSearching(extra: Environment, isImmediate: boolean): void {
  let content: ServedContent;
  beforeAll(async () => {
    content = await serveContent(extra);
    await put({ slug: 'in-title', title: 'Zebra crossing', language: 'en', author: 'Zoë Łącka' });
    await put({ slug: 'in-tags', title: 'Other', tags: ['zebra'] });
    await put({ slug: 'in-body', title: 'Other', body: 'Before.\n\n## Animals\n\nWe saw a **zebra** and a walrus.' });
    await put({ slug: 'german', title: 'Der Datensicherungsplan', body: 'Die Sicherung der Daten.', language: 'de' });
    await put({ slug: 'protected', title: 'Protection in Africa' });
    await put({ slug: 'elsewhere', title: 'A zebra elsewhere', site: Site.IO });
    await put({ slug: 'draft', title: 'A zebra draft', publish: false });
    for (const each of [1, 2, 3, 4, 5]) await put({ slug: `filler-${each}`, title: `Filler ${each}` });
    await putObject({ title: 'A zebra object', summary: 'Stripes', author: 'Ann' });
    await settled();
  });
  afterAll(() => content.close());

  const put = (part: Partial<PutArticleRequest>) =>
    content.editorial.putArticle(articlePut({ publish: true, tags: ['t'], body: 'Nothing else.', ...part }), asEditor);
  const putObject = (part: Partial<PutObjectRequest>) => content.editorial.putObject(objectPut(part), asEditor);
  const search = (query: string, part: Partial<SearchRequest> = {}) =>
    content.search.search(SearchRequest.fromPartial({ site: Site.ORG, query, ...part }), { requestId: 'test' });

  let markers = 0;
  /** Resolves when every change before can be found. */
  async function settled(): Promise<void> {
    if (isImmediate) return;
    const word = `marker${++markers}`;
    await put({ slug: word, body: word });
    await vi.waitFor(async () => expect(await search(word)).toMatchObject({ total: 1 }), { timeout: 15_000 });
  }

  async function names(query: string, part: Partial<SearchRequest> = {}): Promise<string[]> {
    const { hits } = await search(query, part);
    return hits.map(({ entry }) => (entry?.$case === 'article' ? entry.value.slug : (entry?.value.title ?? '')));
  }

  describe('search', () => {
    it('finds articles and objects of a site, best first, with the number of all', async () => {
      const response = await search('zebras');
      expect(response.total).toBe(4);
      expect(await names('zebras')).toHaveLength(4);
      expect((await names('zebras')).at(-1)).toBe('in-body');
      expect(response.hits[0]?.score).toBeGreaterThan(0.5);
      expect(response.otherSites).toEqual([{ site: Site.IO, total: 1 }]);
      expect(await names('zebra', { site: Site.UNSPECIFIED })).toHaveLength(5);
    });

    it('shows what matched, and the passage with its heading', async () => {
      const { hits } = await search('walruses');
      expect(hits).toHaveLength(1);
      expect(hits[0]?.matched).toEqual([{ word: 'walruses', found: ['walrus'], fields: [SearchField.BODY] }]);
      expect(hits[0]?.snippet).toEqual({ text: 'We saw a zebra and a walrus.', heading: 'Animals' });
      expect(hits[0]?.readingTokens).toBeGreaterThan(0);
    });

    it('filters by kind, tag, language and author, and counts the values of the hits', async () => {
      expect(await names('zebra', { kind: 'object' })).toEqual(['A zebra object']);
      expect(await names('zebra', { kind: 'knowledge' })).toEqual(['A zebra object']);
      expect(await names('zebra', { kind: 'story' })).toEqual([]);
      expect(await names('zebra', { kind: 'article' })).toHaveLength(3);
      for (const tag of ['zebra', 'Zebra']) expect(await names('zebra', { tag })).toEqual(['in-tags']);
      for (const author of ['zoe lacka', 'Łącka', 'LACKA, Zoë'])
        expect(await names('zebra', { author })).toEqual(['in-title']);
      expect(await names('zebra', { author: 'lack' })).toEqual([]);
      for (const language of ['de-AT', 'deu']) expect(await names('sicherung', { language })).toEqual(['german']);
      const { facets } = await search('zebra');
      const kinds = facets.find(({ field }) => field === 'kind')?.values;
      expect(kinds).toEqual([
        { value: 'article', count: 3 },
        { value: 'knowledge', count: 1 },
      ]);
    });

    it('finds authors, parts of compounds, words without accents and misspelled words', async () => {
      expect(await names('lacka')).toEqual(['in-title']);
      expect(await names('sicherung')).toContain('german');
      expect(await names('wallrus')).toEqual(['in-body']);
      expect((await search('a zebra and a wallrus')).didYouMean).toBe('a zebra and a walrus');
      expect((await search('a zebra and a walrus')).didYouMean).toBe('');
      // Its words are those of the site and the filters.
      expect((await search('wallrus', { site: Site.IO })).didYouMean).toBe('');
      expect((await search('wallrus', { kind: 'object' })).didYouMean).toBe('');
      expect((await search('zebra wallrus', { site: Site.IO })).didYouMean).toBe('');
      // A word of another language is no error.
      expect((await search('le zebra avec un wallrus')).didYouMean).toBe('');
      expect((await search('wállrus')).didYouMean).toBe('');
      expect((await search('Protektion')).didYouMean).toBe('');
      expect((await search('what is the protektion')).didYouMean).toBe('what is the protection');
      expect((await search('prottection')).didYouMean).toBe('protection');
      // Another ending makes another form, which may be right too.
      expect((await search('walruss')).didYouMean).toBe('walrus');
      expect((await search('walruz')).didYouMean).toBe('');
    });

    it('splits compounds into words of texts that came after its start', async () => {
      await put({ slug: 'parts', title: 'Kuchen', body: 'Eine Zwiebel.', language: 'de' });
      await put({ slug: 'compound', title: 'Zwiebelkuchen', language: 'de' });
      await settled();
      expect(await names('Zwiebel')).toContain('compound');
    });

    it('gives every hit once over all list pages, also if the last hit of one is withdrawn', async () => {
      const all = await names('zebra');
      const first = await search('zebra', { pageSize: 2 });
      const rest = await names('zebra', { pageSize: 2, pageToken: first.nextPageToken });
      expect(rest).toEqual(all.slice(2));
      await expect(search('zebras', { pageSize: 2, pageToken: first.nextPageToken })).rejects.toThrow(/other filters/);
      await put({ slug: 'soon-gone', title: 'Quagga and zebra' });
      await put({ slug: 'stays', title: 'Other', body: 'A quagga.' });
      await settled();
      const [gone] = await names('quagga', { pageSize: 1 });
      const { nextPageToken } = await search('quagga', { pageSize: 1 });
      expect(gone).toBe('soon-gone');
      await content.editorial.archiveArticle(
        { site: Site.ORG, slug: 'soon-gone', expectedRevision: 0, reason: '' },
        asEditor,
      );
      expect(await names('quagga', { pageSize: 1, pageToken: nextPageToken })).toEqual(['stays']);
    });

    it('has weak texts last, and says on every list page whether all are weak', async () => {
      await put({ slug: 'both', title: 'Tapir migration' });
      for (let each = 0; each < 4; each++) await put({ slug: `one-${each}`, body: `The ${'tapir '.repeat(20)}.` });
      await settled();
      for (const [asked, allWeak] of [
        ['tapir feeding schedule', true],
        ['tapir migration', false],
      ] as const) {
        let [token, last] = ['', false];
        do {
          const page = await search(asked, { pageSize: 2, pageToken: token });
          expect([asked, page.allWeak]).toEqual([asked, allWeak]);
          for (const { weak } of page.hits) {
            expect(weak || !last).toBe(true);
            last = weak;
          }
          token = page.nextPageToken;
        } while (token !== '');
        expect([asked, last]).toEqual([asked, true]);
      }
    });

    it.runIf(isImmediate)('contains every change that was acknowledged before', async () => {
      for (let each = 0; each < 20; each++) {
        await put({ slug: 'changing', title: `Okapi number${each}` });
        expect(await names(`number${each}`, { tag: 't' })).toContain('changing');
        const { hits } = await search('okapi');
        if (each > 0) expect(hits).toMatchObject([{ entry: { value: { title: `Okapi number${each}` } } }]);
        await content.editorial.archiveArticle(
          { site: Site.ORG, slug: 'changing', expectedRevision: 0, reason: '' },
          asEditor,
        );
        expect(await search('okapi')).toMatchObject({ hits: [], total: 0 });
        await put({ slug: 'changing', title: `Okapi number${each} again` });
      }
    });

    it('marks hits as weak that lack most of the query', async () => {
      const { hits } = await search('walrus feeding schedule for marine biologists');
      expect(hits.map(({ weak }) => weak)).toEqual([true]);
      expect((await search('zebra crossing')).hits[0]?.weak).toBe(false);
    });

    it('ranks the list of articles and the catalog too', async () => {
      const list = async (query: string, part: Partial<ListArticlesRequest> = {}) => {
        const request = ListArticlesRequest.fromPartial({ site: Site.ORG, query, ...part });
        return content.content.listArticles(request, { requestId: 'test' });
      };
      const slugs = async (...of: Parameters<typeof list>) => (await list(...of)).entries.map(({ slug }) => slug);
      const all = await names('zebra', { kind: 'article' });
      expect(await slugs('zebra')).toEqual(all);
      const first = await list('zebra', { pageSize: 2 });
      expect(first.total).toBe(all.length);
      expect(await slugs('zebra', { pageSize: 2, pageToken: first.nextPageToken })).toEqual(all.slice(2));
      for (const tag of ['zebra', 'ZEBRA']) expect(await slugs('zebra', { tag })).toEqual(['in-tags']);
      expect(await slugs('zebra', { updatedSince: new Date(0) })).toHaveLength(3);
      expect(await slugs('zebra', { updatedSince: new Date('2100-01-01') })).toEqual([]);
      expect(await slugs(' ')).toEqual([]);
      const catalog = { site: Site.ORG, kind: ObjectKind.UNSPECIFIED, pageSize: 0, pageToken: '', idPrefix: undefined };
      const objects = await content.content.listObjects({ ...catalog, query: 'stripes' }, { requestId: 'test' });
      expect(objects).toMatchObject({ total: 1, entries: [{ title: 'A zebra object' }] });
      const both = content.content.listObjects(
        { ...catalog, query: 'stripes', idPrefix: '0b6e' },
        { requestId: 'test' },
      );
      await expect(both).rejects.toThrow('cannot be combined');
    });

    it('finds by synonyms and English glosses as soon as an editor has stored them', async () => {
      const synonym = { id: 'animals', words: ['zebra', 'hippotigris'], from: [], updatedBy: '', updatedAt: undefined };
      await content.searchWords.putSynonym(PutSynonymRequest.fromPartial({ synonym }), asEditor);
      await settled();
      expect(await names('hippotigris')).toEqual(await names('zebra'));
      const article = { site: Site.ORG, slug: 'german' };
      for (const title of ['The contingency catalogue', 'The catalogue of contingency plans']) {
        const gloss = { title, summary: '' };
        const text = { $case: 'article', value: article } as const;
        await content.searchWords.putGloss(PutGlossRequest.fromPartial({ text, gloss }), asEditor);
        await settled();
        const { hits } = await search('contingency');
        expect(hits).toMatchObject([{ gloss, matched: [{ found: ['contingency'], fields: [SearchField.GLOSS] }] }]);
      }
    });

    it.each(['the', ' x ', '"', '$where', 'a\0', '¿?!…', '\\', '🙂', '"the" -', ')(|&*', 'a'.repeat(500)])(
      'takes %j',
      async (query) => {
        await expect(names(query)).resolves.toEqual(expect.any(Array));
      },
    );

    it.each<[string, Partial<SearchRequest>]>([
      ['query', { query: ' ' }],
      ['query', { query: '\0 \u200b' }],
      ['query', { query: 'a'.repeat(501) }],
      ['kind', { kind: 'page' }],
      ['language', { language: 'english' }],
      ['tag', { tag: 'a b' }],
      ['author', { author: 'a'.repeat(121) }],
      ['page_size', { pageSize: 51 }],
      ['page_token', { pageToken: 'x' }],
    ])('refuses a wrong %s', async (field, part) => {
      await expect(search('zebra', part)).rejects.toThrow(new RegExp(`${field} `));
    });
  });
}
