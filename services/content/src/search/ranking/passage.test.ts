import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Block, cutPassage } from './passage.js';

/** A block in which the marked words are those of the query, numbered in their order. */
function block(marked: string, isHeading = false): Block {
  const text = marked.replaceAll('*', '');
  const words = [...marked.matchAll(/\*(\w+)\*/g)].map(([, word = '']) => word);
  const spots = words.map((word, at) => ({
    ...{ word: at, weight: word.length },
    ...{ start: text.indexOf(word), end: text.indexOf(word) + word.length },
  }));
  return { isHeading, text, spots };
}

it('takes the block with the most and the rarest words, and the heading above it', () => {
  const blocks = [
    block('A *rare*word.'),
    block('Below', true),
    block('The *rarest* and *another* one.'),
    block('*one*'),
  ];
  expect(cutPassage(blocks)).toEqual({ text: 'The rarest and another one.', heading: 'Below' });
});

it('prefers a block below a heading that has a word of the query', () => {
  const blocks = [
    block('First.'),
    block('About *okapis*', true),
    block('Second.'),
    block('Else', true),
    block('Third.'),
  ];
  expect(cutPassage(blocks)).toEqual({ text: 'Second.', heading: 'About okapis' });
});

it('cuts a long block to whole words around those of the query', () => {
  const passage = cutPassage([block(`${'before '.repeat(100)}*okapi* and\n*zebra* ${'after '.repeat(100)}`)]);
  expect(passage?.text).toMatch(/^…before (before )+okapi and zebra (after )+after…$/);
  expect(passage?.text.length).toBeLessThanOrEqual(300);
  expect(passage?.text.length).toBeGreaterThan(250);
});

it('shows the beginning if no block has a word, and nothing without a block', () => {
  expect(cutPassage([block('Title', true), block('Some text.')])).toEqual({ text: 'Some text.', heading: 'Title' });
  expect(cutPassage([block('Title', true)])).toBeUndefined();
  expect(cutPassage([])).toBeUndefined();
});

it('has at most 300 characters of the block, never half a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '🙂', '\n', 'é'), maxLength: 1500 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(1500), { maxLength: 5 }), (each, places) => {
      const spots = places
        .filter((start) => start < each.length)
        .map((start, word) => ({ word, weight: 1, start, end: start + 1 }));
      const passage = cutPassage([{ isHeading: false, text: each, spots }]);
      expect([...(passage?.text ?? '')].length).toBeLessThanOrEqual(300);
      const shown = passage?.text.replace(/^…|…$/g, '') ?? '';
      if (spots.length === 0) expect(() => encodeURIComponent(shown)).not.toThrow();
      expect(each.replace(/\s+/g, ' ')).toContain(shown);
    }),
  );
});
