import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Gloss, SynonymWords } from '../../base/search-words.js';
import type { SearchEngine } from '../engine.js';
import { createSynonymRules, type SynonymRules } from '../query/synonyms.js';
import { rankTexts } from '../rank-texts.js';
import type { SearchText } from '../texts/search-text.js';

// The measure of test/search, without a running system. It asks only the queries that may be used to tune the search.
const root = new URL('../../../../..', import.meta.url);
const sample = new URL('deploy/local/sample/', root);

interface GradedQuery {
  readonly kind: string;
  readonly set: 'dev' | 'held';
  readonly site: 'io' | 'org' | 'all';
  readonly query: string;
  readonly grades: Readonly<Record<string, number>>;
}

interface Outcome {
  readonly query: GradedQuery;
  readonly hits: readonly { readonly weak: boolean; readonly grade: number }[];
}

const signal = (): AbortSignal => AbortSignal.timeout(60_000);

const callsAtNight = ['dyzury-w-zakladzie-produkcyjnym', 'reversibilite-fin-d-infogerance'];

interface Found {
  readonly names: readonly string[];
  readonly strong: readonly string[];
  readonly fits: readonly number[];
}

/** Tests what a search in the sample content finds with an engine. `settle` resolves when what was written can be found. */
export function testFinding(open: () => Promise<SearchEngine>, settle: () => Promise<void>): void {
  let index: SearchEngine;
  let rules: SynonymRules;
  let outcomes: Outcome[];

  beforeAll(async () => {
    index = await open();
    await index.open(false, signal());
    const glosses = yaml<readonly (Gloss & { readonly slug: string })[]>(new URL('glosses.yaml', sample));
    const texts = readTexts(new Map(glosses.map((gloss) => [gloss.slug, gloss])));
    const groups = yaml<readonly Partial<SynonymWords>[]>(new URL('synonyms.yaml', sample));
    const languages = [...new Set(texts.map(({ language }) => language))];
    rules = createSynonymRules(
      groups.map(({ words = [], from = [] }) => ({ words, from })),
      languages,
    );
    await index.write(texts, [], 1, signal());
    await settle();
    const queries = yaml<readonly GradedQuery[]>(new URL('test/search/queries.yaml', root));
    outcomes = [];
    for (const query of queries.filter(({ set }) => set === 'dev')) outcomes.push(await ask(query));
  });

  async function ask(query: GradedQuery): Promise<Outcome> {
    const { page } = await search(query.query, query.site === 'all' ? undefined : query.site);
    return { query, hits: page.map((hit) => ({ ...hit, grade: query.grades[nameOf(hit)] ?? 0 })) };
  }

  function search(query: string, site?: 'io' | 'org') {
    return rankTexts({ query, filter: { site, kind: undefined }, size: 100, after: undefined }, index, rules, signal());
  }

  function nameOf({ key }: { readonly key: string }): string {
    return key.split('/').at(-1) ?? '';
  }

  describe('search in the sample content', () => {
    it.each(
      Object.entries({
        ...{ all: 0.87, plain: 0.83, question: 0.9, acronym: 0.74, author: 0.98, typo: 0.93, folding: 0.89 },
        ...{ cross: 0.75, 'same-language': 0.97, object: 0.89, phrase: 0.97, tag: 0.86 },
      }),
    )('ranks the answers to %s queries with an nDCG@10 of %d and more', (kind, least) => {
      const figures = outcomes.filter(
        ({ query }) => query.kind === kind || (kind === 'all' && !query.kind.endsWith('negative')),
      );
      expect(mean(figures.map(ndcg))).toBeGreaterThan(least);
    });

    it('has a helpful text among the first three hits of nine in ten queries', () => {
      const answerable = outcomes.filter(({ query }) => !query.kind.endsWith('negative'));
      const successes = answerable.map(({ hits }) => Number(hits.slice(0, 3).some(({ grade }) => grade >= 2)));
      expect(mean(successes)).toBeGreaterThan(0.9);
      expect(answerable.filter(({ hits }) => hits.length === 0).length).toBeLessThan(3);
    });

    it('marks what fits badly, and few helpful texts', () => {
      const negative = outcomes.filter(({ query }) => query.kind.endsWith('negative'));
      const admitted = negative.map(({ hits }) => Number(hits.slice(0, 3).every(({ weak }) => weak)));
      expect(mean(admitted)).toBeGreaterThan(0.8);
      const helpful = outcomes.flatMap(({ hits }) => hits.slice(0, 10).filter(({ grade }) => grade >= 2));
      expect(mean(helpful.map(({ weak }) => Number(weak)))).toBeLessThan(0.19);
      const isAllWeak = outcomes.map(
        ({ query, hits }) => !query.kind.endsWith('negative') && hits.every(({ weak }) => weak),
      );
      expect(isAllWeak.filter(Boolean).length / (outcomes.length - negative.length)).toBeLessThan(0.16);
    });
  });

  it('marks a text as weak on one site if it does so on both', async () => {
    for (const { query } of outcomes) {
      const { page: both } = await search(query.query);
      const marks = new Map(both.map(({ key, weak }) => [key, weak]));
      for (const site of ['io', 'org'] as const) {
        const { page } = await search(query.query, site);
        for (const { key, weak } of page.filter((hit) => marks.has(hit.key)))
          expect(weak, `${key}: ${query.query}`).toBe(marks.get(key));
      }
    }
  });

  async function find(query: string, site?: 'io' | 'org'): Promise<Found> {
    const { page } = await search(query, site);
    const strong = page.filter(({ weak }) => !weak).map(nameOf);
    return { names: page.map(nameOf), strong, fits: page.map(({ score }) => score) };
  }

  describe('a search for what the sample content does not have', () => {
    it.each(['DORA', 'dora', 'Jira', 'ITIL', 'ServiceNow', 'blameless', 'salsa dancing'])(
      'finds nothing for %s',
      async (query) => {
        expect((await find(query)).names).toEqual([]);
      },
    );

    it.each(['chicken', 'swift', 'passport', 'butter', 'massage', 'drone'])(
      'finds only weak texts for %s, since another letter makes another word of it',
      async (query) => {
        expect((await find(query)).names).not.toEqual([]);
        expect((await find(query)).strong).toEqual([]);
      },
    );

    it.each(['office dog policy', 'experiences with Rust in production', 'Dienstwagenregelung'])(
      'finds only weak texts for %s',
      async (query) => {
        expect((await find(query)).strong).toEqual([]);
      },
    );

    it.each([
      ...['kitchen knives', 'football results', 'oil price', 'firma electrónica', 'contrato de alquiler'],
      'umowa najmu',
    ])('finds only weak texts for %s, since the rare half stands in none', async (query) => {
      expect((await find(query)).names).not.toEqual([]);
      expect((await find(query)).strong).toEqual([]);
    });

    it.each(['time', 'people use time', 'find the best way'])(
      'finds only weak texts for %s, which tells little',
      async (query) => {
        expect((await find(query)).names).not.toEqual([]);
        expect((await find(query)).strong).toEqual([]);
      },
    );
  });

  describe('a search for what the sample content has', () => {
    it.each([
      ['anonymised test data GDPR', 'three-generations-of-masked-test-data'],
      ['asystent AI a związki zawodowe', 'betriebsvereinbarung-ki-assistent'],
      ['jednokrotne logowanie w szpitalu', 'rolling-out-sso'],
      ['kuberntes upgarde', 'upgrading-sixty-clusters-what-stopped-us'],
      ['Microsoft 365 Copilot works agreement', 'betriebsvereinbarung-ki-assistent'],
      ['Does Microsoft 365 Copilot need a works agreement?', 'betriebsvereinbarung-ki-assistent'],
      ['abgelaufenes Zertifikat', 'expired-certificate-saturday'],
      ['observabilty', 'tail-sampling-with-three-wrong-settings'],
      ['Veeam restore drill', 'restore-drill-with-a-stopwatch'],
      ['Rufbereitschaft', 'on-call-with-seven-people'],
      ['on-call', 'on-call-with-seven-people'],
      ['REVERSIBILITE', 'reversibilite-fin-d-infogerance'],
      ['LaunchDarkly feature flags', 'one-thousand-four-hundred-feature-flags'],
      [
        'On Saturday morning all our tills refused card payments because a certificate had run out. How can we prevent that?',
        'expired-certificate-saturday',
      ],
      [
        'Five vendors all claim to meet the accessibility standard. How can we test before we buy whether it works without a mouse?',
        'keyboard-only-expense-tool',
      ],
      [
        'Nous voulons reprendre en interne les serveurs d’un prestataire. Que faut-il prévoir, et combien cela coûte-t-il vraiment ?',
        'reversibilite-fin-d-infogerance',
      ],
      [
        'El auditor nos pide cambiar las contraseñas de las bases de datos cada treinta días. ¿Cómo se hace sin reiniciar los servicios?',
        'rotating-secrets-without-restarts',
      ],
      ['PostgreSQL 16 logical replication with pglogical', 'postgres-13-to-17-by-logical-replication'],
    ])('finds for %s a text that is not weak', async (query, name) => {
      expect((await find(query)).strong).toContain(name);
    });
  });

  it.each([
    ['internal developer platform adoption', []],
    ['prompt injection in RAG assistant', []],
    // These are about calls at night to the person on call, or have a passage about them.
    [
      'Rufbereitschaft nachts',
      [
        'die-nachtdatei-die-niemand-abbestellen-konnte',
        ...callsAtNight,
        'on-call-with-seven-people',
        'letter-to-the-next-on-call-lead',
      ],
    ],
    ['astreinte nuit', [...callsAtNight].reverse()],
  ])('takes no part of the phrase for an answer: %s', async (query, strong) => {
    expect((await find(query)).strong).toEqual(strong);
  });

  it('puts a text that says one phrase sixty times behind honest ones', async () => {
    const query = 'access review for agents';
    const stuffed: SearchText = {
      ...{ key: 'article/stuffed', kind: 'article', site: 'org', language: 'en', title: 'Our offer', summary: '' },
      ...{ tags: [], author: '', body: `${query}. `.repeat(60), gloss: undefined },
      ...{ updatedAt: new Date(0) },
    };
    const before = (await search(query, 'org')).page.map(nameOf);
    await index.write([stuffed], [], 2, signal());
    await settle();
    const after = (await search(query, 'org')).page.map(nameOf);
    await index.write([], [stuffed.key], 3, signal());
    await settle();
    expect(after.indexOf('stuffed')).toBeGreaterThan(5);
    expect(after.slice(0, 5)).toEqual(before.slice(0, 5));
  });

  describe('a search for a rare word', () => {
    it('puts the only text that has it among the first', async () => {
      expect((await find('phishing training', 'org')).names.slice(0, 3)).toContain('security-keys-in-cold-stores');
    });

    it('puts the texts that have it before those that have other words for it', async () => {
      expect((await find('SBOM')).names[0]).toBe('where-is-that-library-three-drills');
      expect((await find('MFA')).names.slice(0, 5)).toContain('security-keys-in-cold-stores');
    });

    it('does not take an acronym for a name that is like its stem in another language', async () => {
      expect((await find('SaaS')).strong).toEqual(['exit-evidence-checklist']);
    });

    it('finds IT as an acronym, and not its stop words', async () => {
      expect((await find('IT')).names.length).toBeLessThan(20);
      expect((await find('it')).names).toEqual([]);
      expect((await find('its')).names).toEqual([]);
    });
  });

  it('finds nothing for question words and stop words of five languages', async () => {
    for (const query of ['how and why', 'wie und warum', 'cómo y cuándo', 'comment et pourquoi', 'jak i dlaczego'])
      expect((await find(query)).names).toEqual([]);
  });

  it('says how well a text fits whatever else is found', async () => {
    const { fits, names, strong } = await find('restore drill');
    expect(fits[0]).toBeGreaterThan(0.8);
    expect(fits.every((fit) => fit >= 0 && fit <= (fits[0] ?? 0))).toBe(true);
    expect(names.filter((_, at) => (fits[at] ?? 0) >= 0.5)).toEqual(strong);
    expect((await find('office dog policy')).fits[0]).toBeLessThan(0.5);
  });
}

function ndcg({ query, hits }: Outcome): number {
  const ideal = Object.values(query.grades).sort((one, other) => other - one);
  return gain(hits.map(({ grade }) => grade)) / gain(ideal);
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function readTexts(glosses: ReadonlyMap<string, Gloss>): SearchText[] {
  return (['io', 'org'] as const).flatMap((site) =>
    (['articles', 'objects'] as const).flatMap((folder) => {
      const files = new URL(`${site}/${folder}/`, sample);
      return readdirSync(files).map((file): SearchText => {
        const [, head = '', body = ''] =
          /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(new URL(file, files), 'utf8')) ?? [];
        const name = file.replace(/\.md$/, '');
        return {
          ...{ title: '', summary: '', author: '', language: 'en', tags: [] },
          ...(load(head) as Partial<SearchText>),
          ...{ key: `article/${name}`, kind: 'article', site, body, gloss: glosses.get(name) },
          ...{ updatedAt: new Date(0) },
        };
      });
    }),
  );
}

function yaml<T>(file: URL): T {
  return load(readFileSync(file, 'utf8')) as T;
}
