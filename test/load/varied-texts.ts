import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { type SampleDocument, sampleFolder } from '../search/queries.js';

/** An article made of parts of the sample texts. */
export interface VariedText {
  readonly site: SampleDocument['site'];
  readonly title: string;
  readonly summary: string;
  readonly tags: string[];
  readonly author: string;
  readonly language: string;
  readonly body: string;
}

interface Pool {
  readonly titles: readonly string[];
  readonly headings: readonly string[];
  readonly sentences: readonly string[];
  readonly share: number;
}

/** The length of a body in characters, as in the sample. */
const bodyLength = 4_000;
/** The share of long words that are replaced by rare ones. Real texts have many words that few others have. */
const rareShare = 0.06;
const rareWords = 150_000;

/**
 * Makes articles from the titles, headings and sentences of the sample texts of one language, in another mixture each time.
 * Some of their long words are replaced by made-up ones, of which some are frequent and most are rare.
 */
export function createVariedTexts(): (at: number) => VariedText {
  const pools = readPools();
  return (at) => {
    const random = createRandom(at + 1);
    const [language, pool] = pick(pools, random());
    const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? '';
    const varied = (text: string): string =>
      text.replace(/\p{L}{6,}/gu, (word) => (random() < rareShare ? rareWord(random()) : word));
    let body = '';
    for (let paragraph = 0; body.length < bodyLength; paragraph++) {
      if (paragraph % 4 === 1) body += `## ${varied(one(pool.headings))}\n\n`;
      const count = 2 + Math.floor(random() * 4);
      body += `${Array.from({ length: count }, () => varied(one(pool.sentences))).join(' ')}\n\n`;
    }
    return {
      ...{ site: random() < 0.5 ? 'io' : 'org', language, body },
      title: varied(one(pool.titles)),
      summary: varied(one(pool.sentences)).slice(0, 300),
      tags: Array.from(new Set([one(tags), one(tags), one(tags)])),
      author: `${rareWord(random() ** 0.2)} ${rareWord(random())}`,
    };
  };
}

/** A made-up word. A share near 0 gives frequent ones, and one near 1 rare ones. */
export function rareWord(share: number): string {
  // As many different words as in a large collection, the n-th with a frequency near 1/n.
  let rest = Math.floor(rareWords ** share);
  let word = '';
  for (let syllable = 0; syllable < 3 || rest > 0; syllable++) {
    word += (consonants[(rest * 7 + syllable * 5) % consonants.length] ?? '') + (vowels[rest % vowels.length] ?? '');
    rest = Math.floor(rest / 20);
  }
  return `${word}n`;
}

const consonants = [...'bdfgklmnprstvz'];
const vowels = [
  'a',
  'e',
  'i',
  'o',
  'u',
  'ai',
  'or',
  'en',
  'al',
  'is',
  'ar',
  'un',
  'ek',
  'ol',
  'ir',
  'am',
  'os',
  'ut',
  'ed',
  'il',
];
const tags = Array.from({ length: 400 }, (_, at) => `topic-${Math.floor(at ** 1.2)}`);

function readPools(): Map<string, Pool> {
  const pools = new Map<string, { titles: string[]; headings: string[]; sentences: string[]; share: number }>();
  for (const site of ['io', 'org']) {
    const folder = new URL(`${site}/articles/`, sampleFolder);
    for (const file of readdirSync(folder)) {
      const [, head = '', body = ''] =
        /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(new URL(file, folder), 'utf8')) ?? [];
      const { title = '', language = 'en' } = load(head) as { title?: string; language?: string };
      const pool = pools.get(language) ?? { titles: [], headings: [], sentences: [], share: 0 };
      pools.set(language, pool);
      pool.share++;
      pool.titles.push(title);
      for (const block of body.split(/\n\n+/)) {
        if (block.startsWith('#')) pool.headings.push(block.replace(/^#+ */, '').split('\n', 1)[0] ?? '');
        else if (!block.startsWith('```')) pool.sentences.push(...block.replace(/\s+/g, ' ').split(/(?<=[.!?]) /));
      }
    }
  }
  return pools;
}

function pick(pools: ReadonlyMap<string, Pool>, share: number): [string, Pool] {
  const sum = [...pools.values()].reduce((total, pool) => total + pool.share, 0);
  let rest = share * sum;
  for (const [language, pool] of pools) {
    rest -= pool.share;
    if (rest < 0) return [language, pool];
  }
  throw new Error('There are no sample texts.');
}

/** The same numbers from 0 to 1 for each seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
