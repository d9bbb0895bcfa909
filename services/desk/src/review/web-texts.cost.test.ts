import { markupOf } from '@knowledge/runtime/html';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { tooDear } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { terminalSafeLine } from '../base/text.js';
import type { ContributionView } from '../contributions/contribution.js';
import { shownText } from '../pages/text-form.js';
import { renderedText, texts } from './web-texts.js';

it('cost what the length of a text costs', { timeout: 180_000 }, () => {
  const view = { title: 'A title', name: null, language: 'en' } as ContributionView;
  const functions = {
    // It shows the text three times.
    'texts, a third': (body: string) => {
      const third = { ...view, body: body.slice(0, body.length / 3) };
      const markup = markupOf(texts(third, renderedText(third, createMarkdownRenderer(1))));
      // The first odd characters are explained at length.
      return markup.slice(0, Math.max(0, markup.length - 70_000));
    },
    shownText: (body: string) => void shownText({ title: 'A title', summary: '', language: 'ar' }, body),
    terminalSafeLine,
  };
  expect(tooDear(functions, 8_000)).toEqual([]);
});
