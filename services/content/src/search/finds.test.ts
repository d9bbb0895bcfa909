import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SynonymGroup } from './index/ports.js';
import { learnCompounds } from './index/prepare.js';
import type { Gloss, SearchText } from './index/search-text.js';
import { createTextIndex } from './index/text-index.js';
import { readQuery } from './ranking/query.js';
import { fitOf, type RankedText, rank, scoreTexts } from './ranking/rank.js';
import { createSynonymRules, type SynonymRules } from './ranking/synonyms.js';

// The measure of test/search, without a running system. It asks only the queries that may be used to tune the search.
const root = new URL('../../../../', import.meta.url);
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
  readonly hits: readonly (RankedText & { readonly grade: number })[];
}

const index = createTextIndex();
let rules: SynonymRules;
let outcomes: Outcome[];

beforeAll(() => {
  const glosses = yaml<readonly (Gloss & { readonly slug: string })[]>(new URL('glosses.yaml', sample));
  const texts = readTexts(new Map(glosses.map((gloss) => [gloss.slug, gloss])));
  const groups = yaml<readonly Partial<SynonymGroup>[]>(new URL('synonyms.yaml', sample));
  const languages = [...new Set(texts.map(({ language }) => language))];
  rules = createSynonymRules(
    groups.map(({ words = [], from = [] }) => ({ words, from })),
    languages,
  );
  for (const word of rules.words) index.compounds.learn(word);
  for (const text of texts) learnCompounds(text, index.compounds);
  for (const text of texts) index.put(text);
  const queries = yaml<readonly GradedQuery[]>(new URL('test/search/queries.yaml', root));
  outcomes = queries.filter(({ set }) => set === 'dev').map(ask);
});

function ask(query: GradedQuery): Outcome {
  const hits = rank(readQuery(query.query, index, rules), index);
  const here = hits.filter(
    ({ key }) => query.site === 'all' || index.facts.facts(index.facts.numberOf(key) ?? -1)?.site === query.site,
  );
  return { query, hits: here.map((hit) => ({ ...hit, grade: query.grades[hit.key.split('/').at(-1) ?? ''] ?? 0 })) };
}

describe('search in the sample content', () => {
  it.each([
    ['all', 0.91],
    ['plain', 0.9],
    ['question', 0.85],
    ['acronym', 0.82],
    ['author', 0.98],
    ['typo', 0.88],
    ['folding', 0.92],
    ['cross', 0.84],
    ['same-language', 0.95],
    ['object', 0.93],
    ['phrase', 0.97],
    ['tag', 0.9],
  ])('ranks the answers to %s queries with an nDCG@10 of %d and more', (kind, least) => {
    const figures = outcomes.filter(
      ({ query }) => query.kind === kind || (kind === 'all' && query.kind !== 'negative'),
    );
    expect(mean(figures.map(ndcg))).toBeGreaterThan(least);
  });

  it('has a helpful text among the first three hits of nine in ten queries', () => {
    const answerable = outcomes.filter(({ query }) => query.kind !== 'negative');
    const successes = answerable.map(({ hits }) => Number(hits.slice(0, 3).some(({ grade }) => grade >= 2)));
    expect(mean(successes)).toBeGreaterThan(0.9);
    expect(answerable.filter(({ hits }) => hits.length === 0).length).toBeLessThan(3);
  });

  it('marks what fits badly, and few helpful texts', () => {
    const negative = outcomes.filter(({ query }) => query.kind === 'negative');
    const admitted = negative.map(({ hits }) => Number(hits.slice(0, 3).every(({ weak }) => weak)));
    expect(mean(admitted)).toBeGreaterThan(0.9);
    const helpful = outcomes.flatMap(({ hits }) => hits.slice(0, 10).filter(({ grade }) => grade >= 2));
    expect(mean(helpful.map(({ weak }) => Number(weak)))).toBeLessThan(0.1);
    const isAllWeak = outcomes.map(({ query, hits }) => query.kind !== 'negative' && hits.every(({ weak }) => weak));
    expect(isAllWeak.filter(Boolean).length / (outcomes.length - negative.length)).toBeLessThan(0.08);
  });
});

interface Found {
  readonly names: readonly string[];
  readonly strong: readonly string[];
  readonly fits: readonly number[];
}

function find(query: string, site?: 'io' | 'org'): Found {
  const words = readQuery(query, index, rules);
  const scored = scoreTexts(words, index);
  const hits = rank(words, index).filter(
    ({ key }) => site === undefined || index.facts.facts(index.facts.numberOf(key) ?? -1)?.site === site,
  );
  const nameOf = ({ key }: RankedText): string => key.split('/').at(-1) ?? '';
  const strong = hits.filter(({ weak }) => !weak).map(nameOf);
  return { names: hits.map(nameOf), strong, fits: hits.map((hit) => fitOf(hit, scored)) };
}

describe('a search for what the sample content does not have', () => {
  it.each(['DORA', 'dora', 'Jira', 'ITIL', 'ServiceNow', 'blameless', 'quitté', 'salsa dancing'])(
    'finds nothing for %s',
    (query) => {
      expect(find(query).names).toEqual([]);
    },
  );

  it.each(['office dog policy', 'experiences with Rust in production', 'Dienstwagenregelung'])(
    'finds only weak texts for %s',
    (query) => {
      expect(find(query).strong).toEqual([]);
    },
  );

  it.each([
    'kitchen knives',
    'football results',
    'oil price',
    'firma electrónica',
    'contrato de alquiler',
    'umowa najmu',
  ])('finds only weak texts for %s, since the rare half stands in none', (query) => {
    expect(find(query).names).not.toEqual([]);
    expect(find(query).strong).toEqual([]);
  });

  it.each(['time', 'people use time', 'find the best way'])(
    'finds only weak texts for %s, which tells little',
    (query) => {
      expect(find(query).names).not.toEqual([]);
      expect(find(query).strong).toEqual([]);
    },
  );

  it('marks a text that only has a longer word as weak', () => {
    expect(find('kubern').names).toContain('upgrading-sixty-clusters-what-stopped-us');
    expect(find('kubern').strong).toEqual([]);
  });
});

describe('a search for what the sample content has', () => {
  it.each([
    ['anonymised test data GDPR', 'three-generations-of-masked-test-data'],
    ['asystent AI a związki zawodowe', 'betriebsvereinbarung-ki-assistent'],
    ['jednokrotne logowanie w szpitalu', 'rolling-out-sso'],
    ['kuberntes upgarde', 'upgrading-sixty-clusters-what-stopped-us'],
    ['Microsoft 365 Copilot works agreement', 'betriebsvereinbarung-ki-assistent'],
    ['Does Microsoft 365 Copilot need a works agreement?', 'betriebsvereinbarung-ki-assistent'],
    ['Veeam restore drill', 'restore-drill-with-a-stopwatch'],
    ['LaunchDarkly feature flags', 'one-thousand-four-hundred-feature-flags'],
    ['PostgreSQL 16 logical replication with pglogical', 'postgres-13-to-17-by-logical-replication'],
  ])('finds for %s a text that is not weak', (query, name) => {
    expect(find(query).strong).toContain(name);
  });
});

describe('a search for a rare word', () => {
  it('puts the only text that has it among the first', () => {
    expect(find('phishing training', 'org').names.slice(0, 3)).toContain('security-keys-in-cold-stores');
  });

  it('does not find a phrase in its single words', () => {
    expect(find('SBOM').strong).toEqual(['where-is-that-library-three-drills']);
    expect(find('MFA').names[0]).toBe('security-keys-in-cold-stores');
    expect(find('MFA').strong).not.toContain('rotating-secrets-without-restarts');
  });

  it('does not take an acronym for a name that is like its stem in another language', () => {
    expect(find('SaaS').strong).toEqual(['exit-evidence-checklist']);
  });

  it('finds IT as an acronym, and not its stop words', () => {
    expect(find('IT').names.length).toBeLessThan(20);
    expect(find('it').names).toEqual([]);
    expect(find('its').names).toEqual([]);
  });
});

it('finds nothing for question words and stop words of five languages', () => {
  for (const query of ['how and why', 'wie und warum', 'cómo y cuándo', 'comment et pourquoi', 'jak i dlaczego'])
    expect(find(query).names).toEqual([]);
});

it('says how well a text fits whatever else is found', () => {
  const { fits, names, strong } = find('restore drill');
  expect(fits[0]).toBeGreaterThan(0.8);
  expect(fits.every((fit) => fit >= 0 && fit <= (fits[0] ?? 0))).toBe(true);
  expect(names.filter((_, at) => (fits[at] ?? 0) >= 0.5)).toEqual(strong);
  expect(find('office dog policy').fits[0]).toBeLessThan(0.5);
});

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
          ...{ publishedAt: new Date(0), updatedAt: new Date(0), revision: 1 },
        };
      });
    }),
  );
}

function yaml<T>(file: URL): T {
  return load(readFileSync(file, 'utf8')) as T;
}
