import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTextLists } from './text-lists.js';

it('keeps the texts of a term over any additions and removals, in short and in packed lists', () => {
  const changes = fc.array(fc.tuple(fc.boolean(), fc.nat(40), fc.integer({ min: 1, max: 300 })), { maxLength: 200 });
  fc.assert(
    fc.property(fc.nat(40), changes, (first, all) => {
      const lists = createTextLists();
      const [term, other] = [lists.push(), lists.push()];
      lists.add(other, 7, 1);
      const expected = new Map<number, number>();
      for (let text = 0; text < first; text++) {
        lists.add(term, text, 1);
        expected.set(text, 1);
      }
      for (const [isAdded, text, count] of all) {
        if (!isAdded) lists.remove(term, text);
        else if (!expected.has(text)) lists.add(term, text, count);
        if (!isAdded) expected.delete(text);
        else if (!expected.has(text)) expected.set(text, Math.min(count, 255));
      }
      const found = new Map<number, number>();
      lists.forEach(term, (text, count) => found.set(text, count));
      expect(found).toEqual(expected);
      expect([lists.sizeOf(term), lists.sizeOf(other), lists.entries]).toEqual([expected.size, 1, expected.size + 1]);
    }),
  );
});
