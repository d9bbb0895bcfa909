import { plainText } from '@knowledge/runtime/markdown';
import { tooDear } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { checkArticlePut } from '../articles/domain.js';
import { createCompounds } from '../search/analysis/compounds.js';
import { prepare } from '../search/index/prepare.js';
import { countWords, excerpt } from './words.js';

const put = {
  ...({ site: 'org', slug: 'a', title: 'A title', summary: '', tags: [], author: 'A', language: 'de' } as const),
  ...{ publishedAt: undefined, publish: true, expectedRevision: 0, reason: '' },
};

const searched = {
  ...({ key: 'article/org/a', kind: 'article', site: 'org', language: 'de', title: 'A title' } as const),
  ...{ summary: '', author: 'A', tags: [], updatedAt: new Date(0), gloss: undefined },
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
    prepare: (body: string) => prepare({ ...searched, body }, compounds).whole.sequence.join(' '),
  };
  expect(tooDear(functions, 8_000)).toEqual([]);
});
