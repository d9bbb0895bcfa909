import { expect, it } from 'vitest';
import { containsAddress } from './address.js';

it.each([
  ...['jo@example.org', 'Jo <jo@example.org>', 'john＠example.org', 'john﹫example.org', 'jo @ example.org'],
  ...['jo @ example . org', 'jo\u200b@\u200bexample.org', 'jo (at) example.org', 'jo [AT] example [dot] org'],
  ...['jo(at)example', 'jo at example dot org', 'Jo AT example.org', 'jo at example punkt de', 'jo_at_example_dot_org'],
  'ｊｏ＠ｅｘａｍｐｌｅ．ｏｒｇ',
])('finds the address in %j', (name) => {
  expect(containsAddress(name)).toBe(true);
});

it.each([
  ...['Maria Keller', 'Dr. Watson, Ph.D.', 'Jo @ Acme', '@maria', 'Maria @maria', 'Jo at Acme', 'Pat (she/her)'],
  ...['Matt Dotson', 'J. R. R. Tolkien', 'Kat-at-sea'],
])('finds no address in %j', (name) => {
  expect(containsAddress(name)).toBe(false);
});
