import { describe, expect, it } from 'vitest';
import { auditAttribution, requireAttribution } from './context.js';

const context = { actor: 'mona', now: new Date(0) };

describe.each([requireAttribution, auditAttribution])('%o', (attributionOf) => {
  it('takes a reason of at most 2000 characters in lines, or none', () => {
    expect(attributionOf(context)).toEqual({ actor: 'mona', at: context.now, reason: '' });
    for (const reason of ['Two\nlines', 'x'.repeat(2000)])
      expect(attributionOf(context, reason)).toMatchObject({ reason });
  });

  it.each([
    ['x'.repeat(2001), 'at most 2000 characters'],
    ['a\0', 'well-formed Unicode without NUL characters'],
    ['a\ud800', 'well-formed Unicode without NUL characters'],
  ])('refuses another', (reason, bound) => {
    const refused = { code: 'validation_error', message: `reason must be ${bound}.` };
    expect(() => attributionOf(context, reason)).toThrow(expect.objectContaining(refused));
  });
});

it('only a look needs no name of who makes it', () => {
  const unnamed = { ...context, actor: undefined };
  expect(() => requireAttribution(unnamed)).toThrow('x-actor must name who makes the change');
  expect(auditAttribution(unnamed).actor).toBe('unnamed');
});
