import { describe, expect, it } from 'vitest';
import { terminalSafeJson, terminalSafeLine, terminalSafeText, wrapText } from './text.js';

describe('text that the desk does not trust', () => {
  it('loses its control characters, which could change the terminal', () => {
    expect(terminalSafeLine('\u200ba\u{e0041}\u001b]0;x\u0007b\u009b31m\u2066c')).toBe(
      'a\ufffd]0;x\ufffdb\ufffd31m\ufffdc',
    );
    expect(terminalSafeText('a\r\n\tb\u00ad\u001b[2J')).toBe('a\n\tb\ufffd[2J');
  });

  it('stays complete in JSON, with dangerous characters escaped', () => {
    const value = { text: 'a\u001b\u009b\u202e\u007fü\u{e0041}\n' };
    expect(terminalSafeJson(value)).toBe('{"text":"a\\u001b\\u009b\\u202e\\u007fü\\udb40\\udc41\\n"}');
    expect(JSON.parse(terminalSafeJson(value))).toEqual(value);
  });
});

it('breaks lines between words, and gives continuation lines the same indentation', () => {
  const text = 'We moved four plants in nine weeks.\n\n  Then five more, all of them.';
  expect(wrapText(text, 20)).toBe('We moved four plants\nin nine weeks.\n\n  Then five more,\n  all of them.');
  expect(wrapText('日本語の とても 長い', 10)).toBe('日本語の\nとても\n長い');
});

it('does not break addresses or code', () => {
  const link = 'https://example.org/a/very/long/address';
  expect(wrapText(`see ${link} there`, 20)).toBe(`see\n${link}\nthere`);
  const code = '```\nkubectl get pods --all-namespaces --watch\n```';
  expect(wrapText(code, 20)).toBe(code);
  expect(wrapText(link, undefined)).toBe(link);
});
