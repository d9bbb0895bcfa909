import { describe, expect, it } from 'vitest';
import type { SearchText } from '../index/search-text.js';
import { createTextIndex, type TextIndex } from '../index/text-index.js';
import { readQuery } from './query.js';
import { createSynonymRules } from './synonyms.js';

type Groups = Parameters<typeof createSynonymRules>[0];

/** An index of texts with these bodies, each in English or in the language before its colon. */
function indexOf(texts: Readonly<Record<string, string>>): TextIndex {
  const index = createTextIndex();
  for (const [name, written] of Object.entries(texts)) {
    const [, language = 'en', body = written] = /^([a-z]{2}): (.*)$/s.exec(written) ?? [];
    const text: SearchText = {
      ...{ key: `article/org/${name}`, kind: 'article', site: 'org', language, title: '', summary: '', tags: [], body },
      ...{ author: '', publishedAt: new Date(0), updatedAt: new Date(0), revision: 1, gloss: undefined },
    };
    index.put(text);
  }
  return index;
}

/** What each word of a query finds: how, by which terms, and in which texts. */
function read(query: string, index: TextIndex, groups: Groups = []): Record<string, string[]> {
  const words = readQuery(query, index, createSynonymRules(groups, index.languages));
  return Object.fromEntries(
    words.map(({ word, alternatives }) => [
      word.text,
      alternatives.map(({ how, terms, found }) => {
        const names = Array.from(found.texts, (text) => index.facts.keys[text]?.split('/').at(-1)).sort();
        expect(found.scores).toHaveLength(names.length);
        expect(found.scores.every((score) => score > 0)).toBe(true);
        return `${how} ${terms.join('+')}: ${names.join(' ')}`;
      }),
    ]),
  );
}

describe('the words of a query', () => {
  const index = indexOf({ a: 'okapi zebra', b: 'IT department', c: 'it is here', d: 'de: Haus' });

  it('are read once each, without stop words, at most 40', () => {
    expect(Object.keys(read('the okapi and a zebra, okapi', index))).toEqual(['okapi', 'zebra']);
    const many = Array.from({ length: 45 }, (_, at) => `word${at}`);
    expect(Object.keys(read(many.join(' '), index))).toEqual(many.slice(0, 40));
  });

  it('are no acronyms if all of more than two are in capitals', () => {
    expect(read('OKAPPI ZEBRA DEPARTMENT', index)).toMatchObject({ okappi: ['spelling okapi: a'] });
    expect(read('OKAPPI zebra department', index)).toMatchObject({ okappi: [] });
    expect(read('OKAPPI ZEBRA', index)).toMatchObject({ okappi: [] });
  });

  it('find an acronym that is written like a stop word, and not the stop word', () => {
    expect(read('IT', index)).toEqual({ it: [expect.stringMatching(/^form \S+: b$/)] });
    expect(read('it', index)).toEqual({});
    expect(read('OKAPI', index)).toEqual({ okapi: ['form okapi: a'] });
  });

  it('find beginnings of three letters and more, for the last word only', () => {
    expect(read('oka', index)).toEqual({ oka: ['prefix okapi: a'] });
    expect(read('ok', index)).toEqual({ ok: [] });
    expect(read('oka zeb', index)).toEqual({ oka: [], zeb: ['prefix zebra: a'] });
    expect(read('quagga', index)).toEqual({ quagga: [] });
    expect(read('zebra', indexOf({ a: 'zebra zebracrossing' }))).toEqual({ zebra: ['form zebra: a'] });
  });

  it('find other spellings of at most 16 words', () => {
    const words = Array.from({ length: 20 }, (_, at) => `marsupial${String.fromCharCode(97 + at)}x`);
    const asked = words.map((word) => word.replace('marsupial', 'marsuplal'));
    const found = Object.values(read(`${asked.join(' ')} okapi`, indexOf({ a: `${words.join(' ')} okapi` })));
    expect(found.map((each) => each.length > 0)).toEqual(words.map((_, at) => at < 16).concat(true));
  });

  it('find the spelling of most texts first, at most four', () => {
    const near = indexOf({
      a: 'walrusa',
      b: 'walrusb',
      c: 'walrusc walrusk',
      d: 'walrusm',
      e: 'walrusk',
      f: 'walrusf',
    });
    const { walrusx = [] } = read('walrusx zebra', near);
    expect(walrusx).toHaveLength(4);
    expect(walrusx.slice(0, 2)).toEqual(['spelling walrusk: c e', 'spelling walrusa: a']);
  });
});

describe('the texts of a word', () => {
  it('are in the language of its stem, and others only if the word may be the same there', () => {
    const index = indexOf({ german: 'de: Rapport', french: 'fr: rapport', other: 'pl: fundament' });
    expect(read('Rapporten', index)).toEqual({ rapporten: ['form rapport: german', 'cognate rapport: french german'] });
    const short = indexOf({ german: 'de: Plan', french: 'fr: plan' });
    expect(read('Planen', short)).toEqual({ planen: ['form plan: german'] });
    const long = indexOf({ german: 'de: Verantwortung', french: 'fr: verantwort' });
    expect(read('Verantwortungen', long)).toEqual({ verantwortungen: ['form verantwort: german'] });
  });

  it('are German if they have only a part of it', () => {
    const index = indexOf({ german: 'de: Sicherung der Daten', english: 'daten sicherung', other: 'de: Plan' });
    expect(read('Datensicherung', index)).toEqual({ datensicherung: ['part dat: german', 'part sicher: german'] });
  });
});

describe('synonyms', () => {
  const index = indexOf({
    a: 'security key for the forest',
    b: 'key and lock',
    c: 'world health organisation',
    d: 'roll it',
    e: 'okapi and giraffe',
  });

  it('stand for a word, and less beside the word itself and for several words', () => {
    const groups = [{ words: ['okapi', 'giraffe', 'security key'], from: [] }];
    const weightsOf = (query: string) =>
      readQuery(query, index, createSynonymRules(groups, index.languages)).flatMap(({ alternatives }) =>
        alternatives.flatMap(({ how, terms, weight }) => (how === 'synonym' ? [[terms.join('+'), weight]] : [])),
      );
    const beside = 0.7 * 0.7;
    expect(weightsOf('okapi')).toEqual([
      ['okapi', beside],
      ['giraff', beside],
      ['secur+key', beside / Math.sqrt(2)],
    ]);
    expect(weightsOf('security key').slice(0, 3)).toEqual([
      ['okapi', beside / Math.sqrt(2)],
      ['giraff', beside / Math.sqrt(2)],
      ['secur+key', beside / 2],
    ]);
  });

  it('find the rest of a phrase only in texts whose language takes a stop word from it', () => {
    const texts = indexOf({
      english: 'the time the password was changed',
      polish: 'pl: time password',
      german: 'de: wort',
    });
    const groups = [{ words: ['one-time password'], from: ['mfa'] }];
    expect(read('mfa', texts, groups)).toEqual({ mfa: ['synonym time+password: polish'] });
  });

  it('give a stop word a meaning', () => {
    expect(read('who', index, [{ words: ['world health organisation'], from: ['who'] }])).toEqual({
      who: ['synonym world+health+organis: c'],
    });
  });

  it('are looked for word by word only if no text has the acronym or a long form of it', () => {
    const lost = [{ words: ['key zebra', 'forest quagga'], from: ['kz'] }];
    expect(read('kz', index, lost)).toEqual({ kz: ['loose key: a b', 'loose forest: a'] });
    const known = [{ words: ['key zebra', 'security key'], from: ['kz', 'lock'] }];
    expect(read('kz', index, known)).toEqual({ kz: ['synonym secur+key: a'] });
    expect(
      read(
        'lock',
        index,
        lost.map((group) => ({ ...group, from: ['lock'] })),
      ),
    ).toEqual({ lock: ['form lock: b'] });
    expect(read('blue door', index, [{ words: ['key zebra'], from: ['blue door'] }])).toEqual({ blue: [], door: [] });
  });

  it('are few, however many the groups have', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`);
    const all = indexOf({ all: words.join(' ') });
    const groups = ['one', 'two', 'three', 'four'].map((each) => ({ words, from: [`${each}x`] }));
    const found = read('onex twox threex fourx', all, groups);
    const counts = Object.values(found).map((each) => each.filter((way) => way.startsWith('synonym')).length);
    expect(counts).toEqual([30, 30, 30, 6]);
  });
});
