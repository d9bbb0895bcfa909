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

it('takes the first of equal blocks, and counts a word of the heading half', () => {
  expect(cutPassage([block('First *okapi*.'), block('Second *okapi*.')])?.text).toBe('First okapi.');
  const blocks = [block('About *okapis*', true), block('Below.'), block('Else', true), block('A *zebra*.')];
  expect(cutPassage(blocks)?.text).toBe('A zebra.');
});

it('takes the window with the most words, in whatever order they are given', () => {
  const { text, spots } = block(`*okapi* ${'between '.repeat(60)}*zebra* and *tapir* ${'after '.repeat(60)}`);
  for (const each of [spots, spots.toReversed(), [1, 2, 0].flatMap((at) => spots[at] ?? [])]) {
    const passage = cutPassage([{ isHeading: false, text, spots: each }]);
    expect(passage?.text).toMatch(/^…between (between )+zebra and tapir (after )+after…$/);
    expect(passage?.text).not.toContain('okapi');
  }
});

it('has two words together up to its length, and no farther', () => {
  // The second word ends after 290 units, and after one more.
  for (const [between, together] of [
    [279, true],
    [280, false],
  ] as const) {
    const passage = cutPassage([block(`*okapi*${'x'.repeat(between)}*zebras* and *lynx*es`)]);
    expect([between, passage?.text.startsWith('okapi')]).toEqual([between, together]);
  }
});

it('cuts a text without spaces between characters', () => {
  for (const before of ['', 'a']) {
    const text = `${before}${'🙂'.repeat(400)}`;
    expect(cutPassage([block(text)])?.text).toBe(`${before}${'🙂'.repeat(before === '' ? 145 : 144)}…`);
    const at = before.length + 400;
    const spots = [{ word: 0, weight: 1, start: at, end: at + 2 }];
    const shown = cutPassage([{ isHeading: false, text, spots }])?.text ?? '';
    expect(shown).toMatch(/^…🙂+…$/u);
    expect(() => encodeURIComponent(shown)).not.toThrow();
  }
});

it('begins and ends at words, unless a word is very long', () => {
  const long = 'x'.repeat(60);
  const passage = (text: string) => cutPassage([block(text)])?.text;
  expect(passage(`${'word '.repeat(55)}${'y'.repeat(30)} end`)).toBe(`${'word '.repeat(55).trim()}…`);
  expect(passage(`${'word '.repeat(50)}${long} end`)).toBe(`${'word '.repeat(50)}${'x'.repeat(40)}…`);
  expect(passage('  Some\n text. ')).toBe('Some text.');
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
