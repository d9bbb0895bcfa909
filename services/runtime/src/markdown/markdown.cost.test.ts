import { expect, it } from 'vitest';
import { differenceOf, patchOf } from '../difference/index.js';
import { tooDear } from '../testing/worst-markdown.js';
import { hiddenCharacters, withoutHiddenCharacters } from '../text/hidden-characters.js';
import { readingTokens } from '../text/reading-tokens.js';
import { createMarkdownRenderer, markdownFault, plainText, textBlocks } from './index.js';

it('cost what the length of a text costs', { timeout: 180_000 }, () => {
  const functions = {
    markdownFault,
    'createMarkdownRenderer, among other texts': (text: string) =>
      createMarkdownRenderer(1)(text, { lowered: 2 }).markup,
    createMarkdownRenderer: (text: string) => createMarkdownRenderer(1)(text, { title: 'a', language: 'ar' }).markup,
    plainText: (text: string) => plainText(text),
    textBlocks: (text: string) => textBlocks(text).map((block) => block.text),
    hiddenCharacters: (text: string) => hiddenCharacters(text, 50),
    withoutHiddenCharacters,
    readingTokens,
    'differenceOf, with nothing': (text: string) => patchOf(differenceOf('', text)),
    'differenceOf, of two halves': (text: string) => {
      const half = text.length / 2;
      differenceOf(text.slice(0, half), [...text.slice(half)].reverse().join(''));
    },
  };
  expect(tooDear(functions, 8_000)).toEqual([]);
  expect(tooDear({ markdownFault }, 60_000)).toEqual([]);
});
