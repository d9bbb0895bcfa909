import { expect, it } from 'vitest';
import { suggestSlug } from './foreign.js';

it.each([
  ["Rolling out SSO: what we'd do again", 'rolling-out-sso-what-wed-do-again'],
  ['  Größe & Maße (2026)  ', 'grosse-masse-2026'],
  ['Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
  ['Пуск и откат', 'pusk-i-otkat'],
  ['東京', 'dongjing'],
  ['— … —', ''],
  [`${'ten chars '.repeat(8)}more`, Array(8).fill('ten-chars').join('-')],
])('makes a name from %s', (title, slug) => {
  expect(suggestSlug(title)).toBe(slug);
});

it('is a name that content accepts, for any title', () => {
  for (let at = 0x21; at < 0x3_0000; at += 7) {
    expect(suggestSlug(`${String.fromCodePoint(at)}x`.repeat(90))).toMatch(/^(?=.{1,80}$)[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
