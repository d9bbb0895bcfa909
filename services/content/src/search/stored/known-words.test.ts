import { describe, expect, it } from 'vitest';
import { KnownWords } from './known-words.js';
import { decodePostings, encodePostings, type Posting } from './postings.js';
import { recentText } from './recent-texts.js';

const once = [0, 0, 0, 0, 0, 1, 0];
const twice = [0, 0, 0, 0, 0, 2, 0];
const blocks = [{ block: 0, postings: encodePostings([1, 2].map((slot) => ({ slot, counts: once }))) }];
const words = (body: string) => recentText({ prepared: ['', '', '', '', '', body, ''].join('\n'), german: '' });

function postingsOf(known: KnownWords, term: string): Record<number, readonly Posting[]> | undefined {
  const found = known.postingsOf(term);
  return found && Object.fromEntries(found.map(({ block, postings }) => [block, decodePostings(postings)]));
}

function keeping(terms: readonly string[]): KnownWords {
  const known = new KnownWords(100_000);
  for (const term of terms) known.keepPostings(term, blocks, known.generation);
  for (const text of [1, 2]) known.keepSequence(text, 'okapi zebra', known.generation);
  return known;
}

it('keeps what was read, and changes the postings of a changed text', () => {
  const known = keeping(['okapi', 'zebra', 'quagga']);
  known.change(new Map([[1, words('okapi okapi quagga')]]));
  expect(postingsOf(known, 'okapi')).toEqual({
    0: [
      { slot: 1, counts: twice },
      { slot: 2, counts: once },
    ],
  });
  expect(postingsOf(known, 'zebra')).toEqual({ 0: [{ slot: 2, counts: once }] });
  expect(postingsOf(known, 'quagga')?.[0]).toHaveLength(2);
  expect([known.sequenceOf(1), known.sequenceOf(2)]).toEqual([undefined, 'okapi zebra']);
});

it('adds a text in a later block, and leaves nothing of texts that are gone', () => {
  const known = keeping(['okapi', 'zebra']);
  known.change(new Map([[2049, words('okapi')]]));
  expect(postingsOf(known, 'okapi')).toEqual({
    0: decodePostings(blocks[0]?.postings ?? new Uint8Array()),
    1: [{ slot: 1, counts: once }],
  });
  expect(known.postingsOf('zebra')).toEqual(blocks);
  known.change(new Map([1, 2, 2049].map((text) => [text, undefined])));
  expect([known.postingsOf('okapi'), known.postingsOf('zebra')]).toEqual([[], []]);
});

it('forgets all postings when very many texts change', () => {
  const known = keeping(['okapi']);
  known.change(new Map(Array.from({ length: 100 }, (_, at) => [at + 10, undefined])));
  expect([known.postingsOf('okapi'), known.sequenceOf(1)]).toEqual([undefined, 'okapi zebra']);
});

it('does not keep what was read before a change and arrives after it', () => {
  const known = new KnownWords(100_000);
  const { generation } = known;
  known.change(new Map());
  known.keepPostings('okapi', blocks, generation);
  known.keepSequence(1, 'okapi', generation);
  expect([known.postingsOf('okapi'), known.sequenceOf(1), known.bytes]).toEqual([undefined, undefined, 0]);
});

it('stays below its bound', () => {
  const known = new KnownWords(10_000);
  for (let text = 0; text < 1000; text++) {
    known.keepSequence(text, 'okapi', known.generation);
    known.keepPostings(`okapi${text}`, blocks, known.generation);
  }
  expect(known.bytes).toBeLessThanOrEqual(10_000);
  expect(known.sequenceOf(0)).toBe('okapi');
});

describe('what terms found', () => {
  const found = { texts: Uint32Array.of(1, 2), scores: Float32Array.of(3, 4), terms: ['okapi'] };

  it('is kept from the second time on, as a copy, until a change', () => {
    const known = new KnownWords(100_000);
    const { generation } = known;
    const ask = () => known.foundOf('okapi|', generation);
    expect(ask()).toBeUndefined();
    known.keepFound('okapi|', found, generation);
    expect(ask()).toBeUndefined();
    const changing = { ...found, scores: found.scores.slice() };
    known.keepFound('okapi|', changing, generation);
    changing.scores.fill(0);
    expect(ask()).toEqual(found);
    known.change(new Map());
    expect([known.foundOf('okapi|', known.generation), known.bytes]).toEqual([undefined, 0]);
  });

  it('is neither kept nor given if the index has changed since the query began', () => {
    const known = new KnownWords(100_000);
    const { generation } = known;
    for (let time = 0; time < 2; time++) known.foundOf('okapi|', generation);
    known.keepFound('okapi|', found, generation);
    expect(known.foundOf('okapi|', generation - 1)).toBeUndefined();
    expect(known.foundOf('okapi|', generation)).toEqual(found);
    known.change(new Map());
    known.keepFound('okapi|', found, generation);
    expect(known.foundOf('okapi|', known.generation)).toBeUndefined();
  });
});
