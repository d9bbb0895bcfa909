import { expect, it } from 'vitest';
import { type Block, cutPassages } from './passages.js';

const filler = 'and so on '.repeat(60);

/** A block in which the words of the query stand, each as rare as the others. */
function block(text: string, ...words: readonly string[]): Block {
  const spots = words.flatMap((word, at) => {
    const start = text.indexOf(word);
    return start < 0 ? [] : [{ word: at, weight: 1, start, end: start + word.length }];
  });
  return { isHeading: text.startsWith('#'), text: text.replace(/^# /, ''), spots };
}

it('are those with most of the words, best first, with the heading above', () => {
  const blocks = [
    block('Before, a zebra.', 'zebra', 'walrus'),
    block('# Animals', 'zebra', 'walrus'),
    block('We saw a zebra and a walrus.', 'zebra', 'walrus'),
    block('Nothing here.', 'zebra', 'walrus'),
  ];
  expect(cutPassages(blocks, 3)).toEqual([
    { text: 'We saw a zebra and a walrus.', heading: 'Animals' },
    { text: 'Before, a zebra.', heading: '' },
  ]);
  expect(cutPassages(blocks, 1)).toHaveLength(1);
});

it('are the beginning of the first block without a word, and none without a block', () => {
  expect(cutPassages([block('# A'), block('First.'), block('Second.')], 3)).toEqual([{ text: 'First.', heading: 'A' }]);
  expect(cutPassages([block('# A')], 3)).toEqual([]);
});

it('have at most 300 characters, and whole words', () => {
  const [passage] = cutPassages([block(`${filler}a zebra ${filler}`, 'zebra')], 1);
  expect(passage?.text).toMatch(/^….* zebra .*…$/);
  expect([...(passage?.text ?? '')].length).toBeLessThanOrEqual(300);
  expect(passage?.text).not.toMatch(/…\S*(?<!and|so|on)\s/);
});
