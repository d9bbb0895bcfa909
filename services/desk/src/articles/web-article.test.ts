import { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { expect, it } from 'vitest';
import { readFaults } from '../pages/form-values.js';
import { articleFields, emptyForm, formOf, newFields, putOf } from './web-article.js';

it('puts each fault beside its field, and the others above the form', () => {
  const message = 'title must be longer; it has 4; slug must be short; title must not be odd; body is required.';
  const refused = { code: 'validation_error', message } as const;
  const of = { title: 'must be longer; it has 4; must not be odd', body: 'is required' };
  expect(readFaults(refused, articleFields)).toEqual({ of, others: ['slug must be short.'] });
  expect(readFaults(refused, newFields)).toEqual({ of: { ...of, slug: 'must be short' }, others: [] });
  const late = { code: 'invalid_state', message: 'It has revision 2; read it again.' } as const;
  expect(readFaults(late, newFields)).toEqual({ of: {}, others: [late.message] });
});

it('fills a form with a stored text and reads the same fields back', () => {
  const publishedAt = new Date('2026-06-01T09:00:00Z');
  const facts = { title: 'T', summary: 'S', tags: ['a', 'b'], author: 'A', language: 'de', publishedAt };
  const form = formOf({ entry: ArticleEntry.fromPartial(facts), body: 'B\n' });
  expect(putOf(form)).toEqual({ ...facts, body: 'B\n', reason: '' });
});

it('refuses a time that nobody can read, by the name of its field', () => {
  expect(() => putOf({ ...emptyForm, published_at: 'soon' })).toThrow(/^published_at must be a time/);
});
