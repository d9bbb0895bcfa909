import { expect, it } from 'vitest';
import { seal, unseal } from './web-sealed-person.js';

it('gives the text back to the session that sealed it, and to nobody else', () => {
  const path = seal('one', 'ada@example.org');
  expect(path).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(Buffer.from(path, 'base64url').toString('latin1')).not.toContain('ada');
  expect(unseal('one', path)).toBe('ada@example.org');
  expect(unseal('other', path)).toBeUndefined();
});

it('refuses what was changed, cut or invented', () => {
  const path = seal('one', 'ada@example.org');
  for (const wrong of ['', 'x', path.slice(4), `A${path.slice(1)}B`, 'a'.repeat(60)]) {
    expect(unseal('one', wrong)).toBeUndefined();
  }
});

it('fits into a path for the longest address and reason', () => {
  expect(seal('one', `${'a'.repeat(254)} ${'b'.repeat(80)}`).length).toBeLessThan(500);
});
