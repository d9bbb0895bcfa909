import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { articleKey } from '../index/search-text.js';
import { bytesOf, storedIndexCollections } from './documents.js';
import { createIndexStore } from './index-store.js';
import type { NewText } from './new-text.js';
import { decodePostings } from './postings.js';
import type { StepText } from './step.js';

const mongo = openTestDatabase('steps');
afterAll(() => mongo.close());
const collections = storedIndexCollections(mongo.db);
const store = createIndexStore(mongo.client, collections);
const { steps } = store;
const signal = AbortSignal.timeout(120_000);
let fill = '';

beforeEach(async () => {
  await mongo.db.dropDatabase();
  await store.restart(undefined, 4, signal);
  const state = await store.lease('test', 20, signal);
  await store.clear('test', 0, signal);
  await store.finish('test', signal);
  fill = state?.fill ?? '';
});

function put(number: number, body: string): StepText {
  const key = articleKey({ site: 'org', slug: `text-${number}` });
  const facts: NewText['facts'] = {
    ...{ key, site: 'org', kind: 'article', language: 'en', author: '', tags: [], updatedAt: new Date(0) },
  };
  const words = { prepared: ['', '', '', '', '', body, ''].join('\n'), german: '' };
  const shown = { blocks: [body], places: new Uint8Array(1), revision: 1 };
  return { key, number, after: { facts, words, shown, bytes: body.length } };
}

const gone = (number: number): StepText => ({ ...put(number, ''), after: undefined });

async function append(from: number, ...texts: StepText[]): Promise<boolean> {
  return steps.append(fill, { from, to: from + 1, texts, growth: 1 }, signal);
}

/** The texts that have each term, by the stored postings. */
async function terms(): Promise<Record<string, number[]>> {
  const found = await collections.postings.find({}, { promoteBuffers: true }).toArray();
  return Object.fromEntries(found.map((each) => [each.term, decodePostings(bytesOf(each)).map(({ slot }) => slot)]));
}

describe('steps', () => {
  it('are stored by the replica that is first, and read in their order', async () => {
    const both = await Promise.all([append(0, put(1, 'okapi')), append(0, put(1, 'zebra'))]);
    expect(both.filter((isStored) => isStored)).toHaveLength(1);
    expect(await append(1, gone(1))).toBe(true);
    expect(await append(1, gone(1))).toBe(false);
    expect(await steps.append('another fill', { from: 2, to: 3, texts: [], growth: 0 }, signal)).toBe(false);
    const read = await steps.next(fill, 0, signal);
    expect(read.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect((await steps.next(fill, 1, signal)).flatMap(({ texts }) => texts)).toEqual([gone(1)]);
    expect(await steps.next(fill, 2, signal)).toEqual([]);
    expect(await store.state(signal)).toMatchObject({ position: 2, textBytes: 2 });
  });

  it('change the postings only when they are merged, all together', async () => {
    await append(0, put(1, 'okapi zebra'), put(2, 'okapi'));
    await append(1, put(1, 'quagga zebra'));
    await append(2, put(1, 'quagga okapi'));
    expect([await terms(), await collections.texts.countDocuments()]).toEqual([{}, 0]);
    expect(await steps.merge(fill, signal)).toBe(3);
    expect(await terms()).toEqual({ okapi: [1, 2], quagga: [1] });
    expect(await steps.merged(signal)).toEqual({ fill, position: 3 });
    expect([await collections.texts.countDocuments(), await collections.steps.countDocuments()]).toEqual([2, 0]);
    expect((await store.prepared([1], signal)).get(1)).toContain('quagga okapi');
    expect(await steps.merge(fill, signal)).toBeUndefined();
    await append(3, gone(2), put(1, 'okapi'));
    expect(await steps.merge(fill, signal)).toBe(4);
    expect(await terms()).toEqual({ okapi: [1] });
  });

  it('leave nothing of a text that was withdrawn before the merge', async () => {
    await append(0, put(1, 'okapi'), put(2, 'zebra'));
    await append(1, gone(1));
    // A text with the same key comes back under another number.
    await append(2, { ...put(2, 'quagga'), number: 3 }, gone(4));
    await append(3, { ...gone(2) });
    await append(4, { ...put(2, 'quagga'), number: 5 });
    expect(await steps.merge(fill, signal)).toBe(5);
    expect((await terms())['quagga']).toContain(5);
    expect((await terms())['okapi']).toBeUndefined();
    expect(await collections.texts.find().toArray()).toMatchObject([{ number: 5 }]);
  });

  it('are merged by another replica after a merge that ended half-way', async () => {
    await append(0, put(1, 'okapi zebra'), put(2, 'okapi'));
    expect(await steps.merge(fill, signal)).toBe(1);
    await append(1, put(1, 'zebra quagga'));
    await mongo.db.command({ collMod: 'search_texts', validator: { number: 'none' } });
    await expect(steps.merge(fill, signal)).rejects.toThrow();
    expect(await terms()).toEqual({ okapi: [2], quagga: [1], zebra: [1] });
    await mongo.db.command({ collMod: 'search_texts', validator: {} });
    // The first merge has its time, in which no other one begins.
    await append(2, put(1, 'okapi zebra'));
    await append(3, gone(2));
    expect(await steps.merge(fill, signal)).toBeUndefined();
    await collections.merged.updateOne({ _id: 'merged' }, { $set: { 'lease.until': new Date(0) } });
    expect(await steps.merge(fill, signal)).toBe(4);
    expect(await terms()).toEqual({ okapi: [1], zebra: [1] });
  });

  it('are merged once by many replicas, while others are stored', async () => {
    const many = Array.from({ length: 40 }, (_, at) => at);
    const merging = Promise.all(
      [1, 2, 3].map(async () => {
        while ((await steps.merged(signal))?.position !== many.length) await steps.merge(fill, signal);
      }),
    );
    for (const at of many)
      expect(await append(at, put(at % 7, `okapi word${at}`), put(7, `zebra word${at}`))).toBe(true);
    await merging;
    const last = many.slice(-7).map((at) => [`word${at}`, at === 39 ? [at % 7, 7] : [at % 7]]);
    expect(await terms()).toEqual({ okapi: [0, 1, 2, 3, 4, 5, 6], zebra: [7], ...Object.fromEntries(last) });
    expect(await collections.steps.countDocuments()).toBe(0);
  });

  it('of a fill that ended are never merged into the next one', async () => {
    await append(0, put(1, 'okapi'));
    await store.restart(await store.state(signal), 4, signal);
    expect(await steps.merge(fill, signal)).toBeUndefined();
    expect(await append(1, put(1, 'okapi'))).toBe(false);
    expect(await terms()).toEqual({});
  });
});
