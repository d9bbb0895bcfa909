import { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { expect, it } from 'vitest';
import { emptyForm, faultsOf, fieldsOf, formOf } from './article-form.js';

it('puts each fault beside its field, and the others above the form', () => {
  expect(
    faultsOf({
      code: 'validation_error',
      message: 'title must have 1 to 200 characters; slug must be short; title must not be odd; body is required.',
    }),
  ).toEqual({
    of: { title: 'must have 1 to 200 characters; must not be odd', body: 'is required' },
    others: ['slug must be short.'],
  });
  const late = { code: 'invalid_state', message: 'It has revision 2; read it again.' } as const;
  expect(faultsOf(late)).toEqual({ of: {}, others: [late.message] });
});

it('fills a form with a stored text and reads the same fields back', () => {
  const publishedAt = new Date('2026-06-01T09:00:00Z');
  const facts = { title: 'T', summary: 'S', tags: ['a', 'b'], author: 'A', language: 'de', publishedAt };
  const form = formOf({ entry: ArticleEntry.fromPartial(facts), body: 'B\n' });
  expect(fieldsOf(form)).toEqual({ ...facts, body: 'B\n', reason: '' });
});

it('refuses a time that nobody can read, by the name of its field', () => {
  expect(() => fieldsOf({ ...emptyForm, published_at: 'soon' })).toThrow(/^published_at must be a time/);
});
