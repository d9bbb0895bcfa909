import { expect, it } from 'vitest';
import { ownPath } from './requests.js';

it.each([['/'], ['/admin'], ['/queue?state=pending_review&after=a%2Fb'], ['/articles/org/rolling-out-sso']])(
  '%s is a page of our own',
  (path) => {
    expect(ownPath(path)).toBe(path);
  },
);

it.each([
  ['https://evil.example/'],
  ['//evil.example/'],
  ['/\\evil.example/'],
  ['/\t/evil.example/'],
  ['/\n//evil.example/'],
  ['/.//evil.example/'],
  ['/a/..//evil.example/'],
  ['javascript:alert(1)'],
  [' /admin'],
  ['admin'],
  [''],
  ['/sign-out'],
  ['/sign-in?next=/'],
  [`/${'a'.repeat(2000)}`],
  [['/admin', '/admin']],
  [undefined],
])('%j leads to the start page', (next) => {
  expect(ownPath(next)).toBe('/');
});
