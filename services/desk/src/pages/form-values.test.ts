import { expect, it } from 'vitest';
import { readValues, withLabels } from './form-values.js';

it('counts characters and not their halves, and a line end as one', () => {
  const read = (words: string) => readValues({ body: { words } }, { words: 5 });
  expect(read('🙂🙂🙂\r\n🙂')).toEqual({ words: '🙂🙂🙂\n🙂' });
  expect(() => read('🙂🙂🙂🙂🙂🙂')).toThrow('words: must be at most 5 characters.');
});

it('says the faults of a refusal with the labels of the page', () => {
  const labels = { title: 'Title', body: 'Text' };
  const message = 'body must be at least 10 characters; it has 4; title must not be odd; kind must be a story.';
  expect(withLabels(message, labels)).toBe(
    'Text must be at least 10 characters; it has 4. Title must not be odd. kind must be a story.',
  );
});
