import { plainText } from '@knowledge/runtime/markdown';
import { tooDear } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { createCompounds } from '../search/analysis/compounds.js';
import { analyseBlocks } from '../search/index/analysed-blocks.js';
import { piecesOf } from '../search-vectors/domain/pieces.js';
import { checkArticlePut } from './article-input.js';
import { countWords, excerpt } from './words.js';

const put = {
  ...({ site: 'org', slug: 'a', title: 'A title', summary: '', tags: [], author: 'A', language: 'de' } as const),
  ...{ publishedAt: undefined, publish: true, expectedRevision: 0, reason: '' },
};

it('cost what the length of a text costs', { timeout: 180_000 }, () => {
  const compounds = createCompounds();
  const functions = {
    checkArticlePut: (body: string) => {
      try {
        checkArticlePut({ ...put, body });
      } catch {
        // Many of these texts are refused.
      }
    },
    'countWords of plainText': (text: string) => void countWords(plainText(text)),
    'excerpt of plainText': (text: string) => excerpt(plainText(text)),
    analyseBlocks: (body: string) => analyseBlocks({ language: 'de', body }, compounds).map(({ text }) => text),
    piecesOf: (body: string) => piecesOf({ title: 'A title', summary: '', gloss: undefined, body }).passages,
  };
  expect(tooDear(functions, 8_000)).toEqual([]);
});
