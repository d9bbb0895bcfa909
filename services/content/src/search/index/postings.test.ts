import { beforeEach, describe, expect, it } from 'vitest';
import type { AskedWord, Way } from '../query/asked-word.js';
import { countErrors } from '../query/spelling.js';
import { createPostings, type Postings } from './postings.js';

let postings: Postings;
beforeEach(() => {
  postings = createPostings();
});

function add(text: string): number {
  const sequence = text.split(' ');
  return postings.add({ sequence, weights: sequence.map(() => 1) });
}

function asked(...ways: readonly Pick<Way, 'terms' | 'weight'>[]): AskedWord {
  const facts = { text: '', start: 0, end: 0, weight: 1, rarity: 1, isCommon: false };
  return { ...facts, ways: ways.map((way) => ({ how: 'form', ...way })) };
}

function scores(...words: readonly AskedWord[]): Map<number, number> {
  return scoresIn(postings, words);
}

function scoresIn(these: Postings, words: readonly AskedWord[]) {
  return new Map([...these.score(words).entries()].filter(([, score]) => score > 0));
}

const word = (...terms: readonly string[]): AskedWord => asked({ terms, weight: 1 });

describe('a score', () => {
  it('is that of BM25', () => {
    const first = add('zebra zebra horse');
    add('horse');
    const found = scores(word('zebra'));
    const rarity = Math.log(1 + 1.5 / 1.5);
    expect([...found.keys()]).toEqual([first]);
    expect(found.get(first)).toBeCloseTo((rarity * 2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 2)));
  });

  it('is the sum over the words, each by its best way', () => {
    const both = add('zebra horse');
    const one = add('zebra mule');
    add('nothing else');
    const horse = asked({ terms: ['horse'], weight: 1 }, { terms: ['mule'], weight: 0.5 });
    const found = scores(word('zebra'), horse);
    const alone = scores(horse);
    expect(alone.get(one)).toBeCloseTo((alone.get(both) ?? 0) / 2);
    expect(found.get(both)).toBeCloseTo((scores(word('zebra')).get(both) ?? 0) + (alone.get(both) ?? 0));
  });

  it('of a phrase needs its terms side by side, in any order', () => {
    const near = add('single sign on');
    const turned = add('sign single');
    add('sign here and single there or elsewhere');
    add('single');
    expect([...scores(word('single', 'sign')).keys()]).toEqual([near, turned]);
    expect(scores(word('single', 'unknown')).size).toBe(0);
  });

  it('is the same in the next search', () => {
    add('zebra horse');
    expect(scores(word('zebra'), word('horse'))).toEqual(scores(word('zebra'), word('horse')));
  });
});

describe('a text that is gone', () => {
  it('is found no more, and counts no more', () => {
    const gone = add('zebra zebra zebra');
    const stays = add('zebra');
    const alone = createPostings();
    alone.add({ sequence: ['zebra'], weights: [1] });
    postings.remove(gone);
    postings.remove(gone);
    expect(postings.frequency('zebra')).toBe(1);
    expect([...scores(word('zebra'))]).toEqual([[stays, scoresIn(alone, [word('zebra')]).get(0)]]);
  });

  it('gives its memory back after many changes', () => {
    add('zebra stays');
    const before = postings.bytes;
    for (let each = 0; each < 3000; each++) postings.remove(add('zebra'));
    expect(postings.bytes).toBeLessThan(before + 20_000);
    expect(scores(word('zebra')).size).toBe(1);
  });
});

describe('the terms near a word', () => {
  it('are at least all with so few errors that begin alike, and no much longer or shorter ones', () => {
    const all = 'alarm alarmed alarms alert altar arm älter blarm lalarm rabatt rabat rabbit arbeit zebra 123';
    const terms = all.split(' ');
    add(all);
    for (const word of [...terms, 'alram', 'rabit'])
      for (const errors of [1, 2]) {
        const near = [...postings.near(word, errors)];
        const alike = terms.filter((term) => term[0] === word[0] && countErrors(word, term) <= errors);
        expect(near, word).toEqual(expect.arrayContaining(alike));
      }
    expect([...postings.near('alram', 1)]).not.toContain('alarmed');
  });
});
