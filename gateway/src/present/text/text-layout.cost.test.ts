import { tooDear } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { cutPart } from './cut-part.js';
import { layoutOf } from './text-layout.js';

it('costs what the length of a text costs', { timeout: 180_000 }, () => {
  const functions = {
    layoutOf: (text: string) => void layoutOf(text, 'A title'),
    'layoutOf, cutPart': (text: string) => void cutPart(layoutOf(text), { start: 0, end: text.length }, 400),
  };
  expect(tooDear(functions, 8_000)).toEqual([]);
});
