import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fields } from '../index/prepare.js';
import {
  addTextCounts,
  changePostings,
  decodePostings,
  encodePostings,
  type Posting,
  scorePostings,
} from './postings.js';

const counts = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: fields.length, maxLength: fields.length })
  .map((each) => (each.every((count) => count === 0) ? [] : each));
const postings = fc
  .uniqueArray(fc.record({ slot: fc.nat(2047), counts }), { selector: ({ slot }) => slot })
  .map((each): Posting[] => each.sort((a, b) => a.slot - b.slot));

it('reads what it wrote, with the number of texts in each field', () => {
  fc.assert(
    fc.property(postings, (each) => {
      const bytes = encodePostings(each);
      expect(decodePostings(bytes)).toEqual(each);
      const texts = new Float64Array(fields.length);
      addTextCounts(bytes, texts);
      const having = fields.map((_, field) => each.filter((posting) => (posting.counts[field] ?? 0) > 0).length);
      expect([...texts]).toEqual(having);
    }),
  );
});

it('changes, adds and removes single postings', () => {
  const changes = fc.array(fc.tuple(fc.nat(2047), fc.option(counts, { nil: undefined })), { maxLength: 20 });
  fc.assert(
    fc.property(postings, changes, (each, changed) => {
      const slots = new Map(changed);
      const kept = each.filter(({ slot }) => !slots.has(slot));
      const put = [...slots].flatMap(([slot, of]) => (of === undefined ? [] : [{ slot, counts: of }]));
      const all = [...kept, ...put];
      const bytes = changePostings(encodePostings(each), slots);
      expect(bytes).toEqual(all.length === 0 ? undefined : encodePostings(all));
    }),
  );
});

it('scores every text once, by its number', () => {
  const once = fields.map((_, field) => Number(field === 0));
  const bytes = encodePostings([
    { slot: 3, counts: once },
    { slot: 300, counts: [] },
    { slot: 2047, counts: once },
  ]);
  const into = { texts: new Uint32Array(3), scores: new Float32Array(3), count: 0 };
  const weights = Float64Array.from(fields, () => 2);
  const lengths = new Uint16Array(8192 * fields.length).fill(1);
  const perWord = Float64Array.from(fields, () => 0.84);
  scorePostings(bytes, 4096, { weights, lengths, perWord, k: 1.2, b: 0.7, d: 0.5 }, into);
  expect([...into.texts]).toEqual([4099, 4396, 6143]);
  expect([...into.scores].map((score) => Number(score.toFixed(3)))).toEqual([3, 0, 3]);
});
