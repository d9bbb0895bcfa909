import { expect, it } from 'vitest';
import { wrapText } from './wrap.js';

it('breaks lines between words, and gives continuation lines the same indentation', () => {
  expect(wrapText('We moved four plants in nine weeks.\n\n  Then five more, all of them.', 20)).toBe(
    'We moved four plants\nin nine weeks.\n\n  Then five more,\n  all of them.',
  );
  expect(wrapText('日本語の とても 長い', 10)).toBe('日本語の\nとても\n長い');
});

it('does not break addresses or code', () => {
  const link = 'https://example.org/a/very/long/address';
  expect(wrapText(`see ${link} there`, 20)).toBe(`see\n${link}\nthere`);
  const code = '```\nkubectl get pods --all-namespaces --watch\n```';
  expect(wrapText(code, 20)).toBe(code);
  expect(wrapText(link, undefined)).toBe(link);
});
