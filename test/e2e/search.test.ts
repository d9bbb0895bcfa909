import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { describe, expect, test } from 'vitest';
import { articleToPut, putArticle } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { browser, call, expectFailure, type HttpResponse } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';

const get = (path: string, headers: Record<string, string> = {}) => call(`${system.url}${path}`, { headers });
const search = (q: string, more = ''): Promise<HttpResponse> =>
  get(`/api/v1/search?site=org&q=${encodeURIComponent(q)}${more}`);
const namesOf = ({ json }: Pick<HttpResponse, 'json'>): string[] =>
  json.entries.map(({ slug, id }: { slug?: string; id?: string }) => slug ?? id);
const note = randomUUID();
const hostile = `<script>alert('wombat')</script>`;

const system = await ownSystem({ env: { PAGES_PER_ADDRESS: '10000' }, gateways: 2 });
const { editorial } = system.clients;
const texts = [
  {
    slug: 'restore-drill',
    title: 'A restore drill that failed',
    summary: 'What a restore taught a payroll bureau.',
    tags: ['backup'],
    author: 'Maren Holt',
    body: 'Before.\n\n## The night of the drill\n\nWe restored the payroll database from tape, and it took nine hours.',
  },
  { slug: 'sign-on', title: 'Single sign-on in nine weeks', tags: ['identity'], body: 'Thirty applications moved.' },
  {
    slug: 'umzug',
    title: 'Umzug des Rechenzentrums',
    summary: 'Ein Erfahrungsbericht über den Umzug.',
    language: 'de',
    tags: ['migration'],
    body: 'Der Umzug dauerte ein Wochenende.',
  },
  { slug: 'io-restore', site: Site.IO, title: 'Restore tests every night', body: 'A restore is tested each night.' },
  { slug: 'hostile', title: hostile, summary: hostile, author: 'Eve', body: `${hostile} is about the marsupial.` },
];
for (const text of texts) await putArticle(system, text);
const object = {
  ...{ id: note, kind: ObjectKind.KNOWLEDGE, site: Site.ORG, title: 'Backups on a ship', summary: '', author: 'Jo' },
  ...{ language: 'en', body: 'We restore from a tape on board.', publishedAt: undefined },
};
await editorial.putObject(object, asTester());

describe('GET /api/v1/search', () => {
  test('finds articles and objects, and says what was found where', async () => {
    const { status, headers, json } = await search('restore from tape');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    expect(json.did_you_mean).toBeNull();
    expect(namesOf({ json }).slice(0, 2).sort()).toEqual(['restore-drill', note].sort());
    const article = json.entries.find(({ slug }: { slug?: string }) => slug === 'restore-drill');
    const snippet = { text: expect.stringMatching(/restored the payroll database/), heading: 'The night of the drill' };
    expect(article).toMatchObject({ weak: false, snippet });
    const words = article.matched.map(({ word }: { word: string }) => word);
    expect(words).toEqual(expect.arrayContaining(['restore', 'tape']));
    expect(json.other_sites).toEqual([
      { site: 'io', total: 1, search_url: `${system.url}/api/v1/search?site=io&q=restore+from+tape&limit=10` },
    ]);
    expect((await search('restore tests every night')).json.other_sites).toMatchObject([{ site: 'io', total: 1 }]);
    expect(json.facets.kind).toEqual(
      expect.arrayContaining([
        { value: 'article', count: expect.any(Number) },
        { value: 'knowledge', count: 1 },
      ]),
    );
  });

  test('filters by kind, language, tag, author and site', async () => {
    expect(namesOf(await search('restore', '&kind=object'))).toEqual([note]);
    expect(namesOf(await search('restore', '&author=maren%20holt'))).toEqual(['restore-drill']);
    expect(namesOf(await search('restore', '&tag=Backup'))).toEqual(['restore-drill']);
    for (const path of ['api/v1/content?q=restore', 'api/v1/content?site=org', 'articles?site=org'])
      expect((await get(`/${path}&tag=Backup`)).text).toContain('restore-drill');
    expect(namesOf(await search('umzug', '&language=fr'))).toEqual([]);
    const all = await get('/api/v1/search?site=all&q=restore');
    expect(namesOf(all)).toEqual(expect.arrayContaining(['restore-drill', 'io-restore', note]));
    expect(all.json).toMatchObject({ site: 'all', other_sites: [] });
    expect(all.json.entries.map(({ site }: { site: string }) => site)).toContain('io');
  });

  test('pages by cursor; a cursor of another search is refused', async () => {
    const seen: string[] = [];
    const { json: first } = await search('restore payroll umzug nine', '&limit=1');
    let url: string | null = `${system.url}/api/v1/search?site=org&q=restore+payroll+umzug+nine&limit=1`;
    while (url !== null && seen.length < 20) {
      const answer: HttpResponse = await call(url);
      seen.push(...namesOf(answer));
      url = answer.json.next_url;
    }
    expect([seen.length, new Set(seen).size]).toEqual([first.total, first.total]);
    expect(first.total).toBeGreaterThan(2);
    const cursor = encodeURIComponent(first.next_cursor);
    for (const path of [
      `/api/v1/search?site=org&q=other&limit=1&cursor=${cursor}`,
      `/api/v1/search?site=io&q=restore+payroll+umzug+nine&limit=1&cursor=${cursor}`,
      `/api/v1/content?site=org&cursor=${cursor}`,
      `/api/v1/objects/catalog?site=org&q=restore+payroll+umzug+nine&cursor=${cursor}`,
      '/api/v1/search?site=org&q=a&cursor=nonsense',
    ]) {
      expectFailure(await get(path), 400, 'validation_error', /^cursor: /);
    }
  });

  test('a new and a withdrawn text is found and gone through every gateway', async () => {
    const { editorial } = system.clients;
    const everywhere = async (): Promise<boolean[]> =>
      Promise.all(
        system.gateways.map(async (base) =>
          namesOf(await call(`${base}/api/v1/search?site=org&q=zyzzyva`)).includes('zyzzyva-note'),
        ),
      );
    expect(await everywhere()).toEqual([false, false]);
    const newcomer = articleToPut({ slug: 'zyzzyva-note', title: 'A zyzzyva in the server room' });
    await editorial.putArticle(newcomer, asTester());
    await until('the note to be found', async () => (await everywhere()).every((is) => is), 1_000);
    const name = { site: Site.ORG, slug: 'zyzzyva-note', expectedRevision: 0, reason: '' };
    await editorial.archiveArticle(name, asTester());
    await until('the note to be gone', async () => !(await everywhere()).some((is) => is), 1_000);
  });

  test('of words that are too common says so everywhere', async () => {
    const common = 'what%20is%20the%20and%20of';
    const searches = [
      'search?site=all',
      'search?site=org&fields=brief',
      'content?site=org',
      'objects/catalog?site=org',
    ];
    for (const path of searches) {
      const { json } = await get(`/api/v1/${path}&q=${common}`);
      expect([path, json.entries]).toEqual([path, []]);
      expect(json.hint).toContain('too common or too short to search by');
      expect((await get(`/api/v1/${path}&q=the%20restore`)).json.hint).toBeNull();
      expect((await get(`/api/v1/${path}&q=xqzvw`)).json.hint).toBe(
        'Nothing was found. Try fewer or other words, or another language.',
      );
    }
    expect((await get('/api/v1/search?site=org&q=%3F%21')).json.hint).toContain('no word');
    expect((await get('/api/v1/content?site=org')).json).not.toHaveProperty('hint');
    for (const path of ['search', 'articles']) {
      const page = await get(`/${path}?site=org&q=${common}`, browser);
      expect(page.text).toContain('too common or too short to search by');
      expect(page.text).not.toContain('Nothing was found');
    }
  });

  test('many different searches at once are answered or refused as overload', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => search(`restore number${at}`)));
    const statuses = new Set(answers.map(({ status }) => status));
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectFailure(answer, 503, 'unavailable');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(statuses).toContain(200);
    await until('searches to be taken again', async () => (await search('restore afterwards')).status === 200);
  });
});

describe('the same search elsewhere', () => {
  test('q of the index says how well each article fits', async () => {
    const { entries } = (await search('zyzzyvas and quokkas that restore axolotls', '&kind=article')).json;
    const fits = entries.map(({ slug, score, weak }: Record<string, unknown>) => ({ slug, score, weak }));
    expect(fits.some(({ weak }: { weak: boolean }) => weak)).toBe(true);
    const index = await get('/api/v1/content?site=org&limit=10&q=zyzzyvas%20and%20quokkas%20that%20restore%20axolotls');
    expect(index.json.entries).toMatchObject(fits);
    const brief = (await get('/api/v1/content?site=org&fields=brief&q=restore')).json.entries[0];
    expect(Object.keys(brief)).toEqual([
      ...['slug', 'title', 'summary', 'language', 'published_at', 'updated_at', 'api_url', 'reading_tokens', 'weak'],
    ]);
    const listed = (await get('/api/v1/content?site=org')).json.entries[0];
    expect(Object.keys(listed)).not.toEqual(expect.arrayContaining(['weak']));
  });

  test('the page marks words, and what was found is text', async () => {
    const page = await get('/search?site=org&q=restore%20marsupial', browser);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<mark>restored?<\/mark>/i);
    expect(page.text).toContain('noindex');
    expect(page.text).not.toContain(hostile);
    expect((await get('/search?site=com', browser)).status).toBe(400);
  });
});

describe('odd searches', () => {
  test.each<[name: string, q: string]>([
    ['500 letters', 'a'.repeat(500)],
    ['500 emoji', '🙂'.repeat(500)],
    ['a letter with 499 marks', `e${'\u0301'.repeat(499)}`],
    ['stop words', 'what is the of and to'],
    ['250 words of one letter', 'a '.repeat(250)],
    ['a hundred words', `${'word '.repeat(99)}end`],
    ['a word said 71 times', 'restore'.repeat(71)],
    ['signs', '!?.,;:-_()[]{}"\'*&^%$#@~`|<>'],
    ['brackets', '(((((('.repeat(83)],
    ['quotes', '"'.repeat(500)],
    ['backslashes', '\\'.repeat(500)],
    ['any texts of a pattern', '.*'.repeat(250)],
    ['from right to left', 'استعادة النسخ \u202erestore\u202c'],
    ['characters that nobody sees', '\u202e\u200b restore'],
    ['numbers in thousands', '1.000'.padEnd(500, '.000')],
    ['apostrophes', "l'".repeat(250)],
    ['many misspelled words', 'restroe payrol drlil databse umzgu nihgt sinlge applicatoins '.repeat(8).slice(0, 500)],
    ['names of the language', '__proto__ constructor toString'],
    ['operators', '{"$gt": ""} {"$where": "sleep(1000)"} $where'],
  ])('%s are answered everywhere, and suggest no stop word', async (_, q) => {
    const asked = encodeURIComponent(q);
    for (const path of ['search?site=all', 'search?site=org', 'content?site=org', 'objects/catalog?site=org']) {
      const { status, json } = await get(`/api/v1/${path}&q=${asked}`);
      expect([path, status, json.entries]).toEqual([path, 200, expect.any(Array)]);
    }
    expect((await get(`/search?site=org&q=${asked}`, browser)).status).toBe(200);
    const suggested = (await get(`/api/v1/search?site=all&q=${asked}`)).json.did_you_mean ?? '';
    expect(suggested.split(' ')).not.toContain('chat');
  });

  test('a correction is the same with any number of entries, and on every list page', async () => {
    const { did_you_mean, next_cursor } = (await get('/api/v1/search?site=all&q=restroe+tape&limit=2')).json;
    expect(did_you_mean).toBe('restore tape');
    for (const more of ['limit=1', 'limit=50', `limit=2&cursor=${encodeURIComponent(next_cursor)}`])
      expect([more, (await get(`/api/v1/search?site=all&q=restroe+tape&${more}`)).json.did_you_mean]).toEqual([
        more,
        'restore tape',
      ]);
  });

  const unknownLanguage =
    'language: must be the BCP 47 tag of a known language, such as en, de or pt-BR, not its name.';

  test.each([
    ['search', 'q: is required'],
    ['search?q=', 'q: must not be empty'],
    ['search?q=%20%09', 'q: must not be empty.'],
    [`search?q=${'x'.repeat(501)}`, 'q: must have at most 500 characters'],
    ['search?q=%00', 'q: must not contain NUL characters.'],
    ['search?q=%ED%A0%80', 'percent-encoded UTF-8'],
    ['search?q=a&q=b', 'q: must be a string, given once.'],
    ['search?q=a&site=com', 'site: must be io or org or all'],
    ['search?q=a&author=b%00', 'author: must not contain NUL characters.'],
    ['search?q=a&author=%20%09', 'author: must not be empty.'],
    [`search?q=a&author=${'x'.repeat(121)}`, 'author: must have at most 120'],
    ['search?q=a&kind=letter', 'kind: must be one of article, object'],
    ['search?q=a&kind=story&kind=article', 'kind: must be one of'],
    ['search?q=a&language=%20', unknownLanguage],
    ['search?q=a&language=no_tag', unknownLanguage],
    ['search?q=a&language=german!', unknownLanguage],
    ['search?q=a&language=german', unknownLanguage],
    ['search?q=a&language=xx', unknownLanguage],
    ['search?q=a&tag=%20', 'tag: must not be empty.'],
    ['search?q=a&tag=A%20b', 'tag: must be 1 to 40 characters of a-z'],
    ['search?q=a&limit=51', 'limit: must be a whole number from 1 to 50.'],
    ['search?q=a&fields=some', 'fields: '],
    ['search?q=a&cursor=%00', 'cursor: '],
    ['search?q=a&cursor=WzEsIngiLDFlNDAwLCJ5Il0', 'cursor: does not belong'],
    ['content?site=all', 'site: must be io or org'],
  ])('%s is refused with a reason', async (path, reason) => {
    expectFailure(
      await get(`/api/v1/${path}`),
      400,
      reason === 'percent-encoded UTF-8' ? 'bad_request' : 'validation_error',
      reason,
    );
  });

  test('are in no log', async () => {
    const secret = 'kumquatish';
    expect((await search(secret)).status).toBe(200);
    expect((await get(`/search?site=org&q=${secret}`, browser)).status).toBe(200);
    expect(system.logs()).not.toContain(secret);
  });
});

describe('the counts of searches', () => {
  interface Gap {
    words: string;
    readers: number;
    not_found: number;
    not_read: number;
  }
  /** Names that seldom look alike; enough of them are at least five different readers. */
  const readers = Array.from({ length: 30 }, () => ({ 'X-Agent-Client-Id': randomUUID() }));
  /** The gap, once it is listed so. Counts arrive in parts. */
  const gapOf = (words: string, isSo: (gap: Gap) => boolean): Promise<Gap> =>
    until(`the counts of ${words}`, async () => {
      const gaps = await deskOf(system).json<Gap[]>('search', 'gaps');
      return gaps.find((gap) => gap.words === words && isSo(gap));
    });

  test('have every reader of the same URL, also where its response is cached', async () => {
    const missed = `/api/v1/search?site=org&q=${encodeURIComponent('Xylophone zzqqzz!')}`;
    for (const reader of readers) expect((await get(missed, reader)).json.total).toBe(0);
    const gap = await gapOf('xylophone zzqqzz', ({ readers: counted }) => counted > 10);
    expect(gap).toMatchObject({ not_found: gap.readers, not_read: 0 });
  });

  test('tell who read what was found, and who did not', async () => {
    for (const reader of readers) {
      expect((await get('/api/v1/search?site=org&q=payroll%20drill', reader)).json.total).toBeGreaterThan(0);
      expect((await get('/api/v1/search?site=org&q=forgotten%20drill', reader)).status).toBe(200);
      expect((await get('/api/v1/content/sign-on?site=org', reader)).status).toBe(200);
    }
    const notRead = await gapOf('payroll drill', ({ not_read }) => not_read > 10);
    expect(notRead).toMatchObject({ not_found: 0 });
    for (const reader of readers) {
      expect((await get('/api/v1/content/restore-drill?site=org', reader)).status).toBe(200);
    }
    await gapOf('payroll drill', ({ not_read }) => not_read === 0);
  });
});
