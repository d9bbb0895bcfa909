import { describe, expect, it } from 'vitest';
import type { AskedWord, Way } from '../query/asked-word.js';
import { isWeak, weakBeside } from './weak.js';
import { wordPlaces } from './word-places.js';

/** Asks for a word that is as rare as the others. */
function asked(text: string): AskedWord {
  const ways: readonly Way[] = [{ how: 'form', terms: [text], weight: 1 }];
  return { text, start: 0, end: 0, ways, weight: 1, rarity: 3, isCommon: false };
}

/** Asks for words that are equally rare, in a text with these terms. */
function weak(query: string, text: string, part: Readonly<Record<string, Partial<AskedWord>>> = {}): boolean {
  const words = query.split(' ').map((word) => ({ ...asked(word), ...part[word] }));
  const places = new Map<string, number[]>();
  for (const [at, term] of text.split(' ').entries()) places.set(term, [...(places.get(term) ?? []), at]);
  const found = wordPlaces(words, places);
  // Each word once in a text of ordinary length.
  const scores = words.map(({ rarity }, at) => (found[at]?.places.length === 0 ? 0 : rarity / 2));
  const score = scores.reduce((sum, each) => sum + each, 0);
  return isWeak(words, found, score, 100);
}

const farApart = 'x '.repeat(50);

describe('a text', () => {
  it('with the only word of a query is strong', () => {
    expect(weak('zebra', 'a zebra')).toBe(false);
    expect(weak('zebra', 'a horse')).toBe(true);
  });

  it('with two of three words is strong only where they stand in one passage', () => {
    expect(weak('change approval board', `the approval ${farApart} of the board and much else`)).toBe(true);
    expect(weak('change approval board', 'an approval board')).toBe(false);
  });

  it('with three words of a question is strong wherever they stand', () => {
    expect(weak('who heats the pool', 'who x x x heats x x x pool')).toBe(false);
  });

  it('with a part of the query is weak where the texts are enough for one to have it by chance', () => {
    const words = ['a', 'b', 'c', 'd', 'e'].map(asked);
    const found = wordPlaces(words, new Map(['a', 'b'].map((word, at) => [word, [at]])));
    expect(isWeak(words, found, 5, 100)).toBe(false);
    expect(isWeak(words, found, 5, 1_000_000_000)).toBe(true);
  });

  it('with few words of a long question is weak', () => {
    const long = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
    const half = long.split(' ').slice(0, 15).join(' ');
    expect(weak(long, half)).toBe(false);
    expect(weak(long, half.replace(' word8', `${farApart} word8`))).toBe(false);
    expect(weak(long, 'word1 word2 word3 word4 word5 word6')).toBe(true);
    expect(weak(long, 'word1 x x x word2')).toBe(true);
    expect(weak(long, 'word1 word2')).toBe(true);
    expect(weak(long, 'word1')).toBe(true);
  });

  it('that lacks the rare word of a query is weak', () => {
    const rare = { museum: { rarity: 9 } };
    expect(weak('museum opening hours', 'opening hours', rare)).toBe(true);
    expect(weak('museum opening hours', 'museum hours', rare)).toBe(false);
  });

  it('with only the rare word of two is weak, unless it says it again and again', () => {
    const rare = { furniture: { rarity: 5 } };
    expect(weak('office furniture', 'furniture', rare)).toBe(true);
    expect(weak('office furniture', 'furniture x furniture', rare)).toBe(true);
    expect(weak('office furniture', `furniture ${farApart} furniture ${farApart} furniture`, rare)).toBe(false);
    expect(weak('office furniture', 'office office office', rare)).toBe(true);
  });

  it('with only words that stand in texts about anything is weak', () => {
    const common = { isCommon: true };
    expect(weak('four day week', 'four day week', { four: common, day: common, week: common })).toBe(true);
  });

  it('with a word of the editors for what was asked needs less of the query', () => {
    const synonym: Way = { how: 'synonym', terms: ['certificate'], weight: 0.7 };
    const ways = [synonym];
    expect(weak('zertifikat kasse', 'a certificate', { zertifikat: { ways } })).toBe(false);
    expect(weak('zertifikat kasse', 'a certificate')).toBe(true);
  });

  it('with another word that has one other letter is weak', () => {
    const way = (how: Way['how']): Way[] => [{ how, terms: ['password'], weight: 0.5 }];
    expect(weak('passport', 'a password', { passport: { ways: way('otherLetter') } })).toBe(true);
    expect(weak('passwrd', 'a password', { passwrd: { ways: way('spelling') } })).toBe(false);
  });

  it('with a phrase of the editors needs nothing else', () => {
    const ways: readonly Way[] = [{ how: 'synonym', terms: ['betriebsvereinbarung'], weight: 0.5 }];
    const phrase = { works: { ways }, agreement: { ways } };
    expect(weak('microsoft copilot for teams works agreement', 'die betriebsvereinbarung', phrase)).toBe(false);
  });
});

describe('beside the best texts, a weak one', () => {
  const best = [
    { weak: true, score: 9 },
    { weak: false, score: 8 },
    { weak: false, score: 5 },
  ];

  it('is strong with three tenths of the score of the best strong one', () => {
    expect(weakBeside(best)({ weak: true, score: 2.5 })).toBe(false);
    expect(weakBeside(best)({ weak: true, score: 2.3 })).toBe(true);
    expect(weakBeside(best)({ weak: false, score: 2 })).toBe(false);
  });

  it('stays weak where all of them are, and whatever stands behind them is weak too', () => {
    const allWeak = best.filter(({ weak }) => weak);
    expect(weakBeside(allWeak)({ weak: true, score: 9 })).toBe(true);
    expect(weakBeside(allWeak)({ weak: false, score: 1 })).toBe(true);
  });
});
