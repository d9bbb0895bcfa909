import { describe, expect, it } from 'vitest';
import { terminalSafeJson, terminalSafeLine, terminalSafeText } from './terminal-safe.js';

describe('text that the desk does not trust', () => {
  it('loses its control characters, which could change the terminal', () => {
    expect(terminalSafeLine('a\u001b]0;x\u0007b\u009b31m\u2066c')).toBe('a\ufffd]0;x\ufffdb\ufffd31m\ufffdc');
    expect(terminalSafeText('a\r\n\tb\u001b[2J')).toBe('a\n\tb\ufffd[2J');
  });

  it('stays complete in JSON, with dangerous characters escaped', () => {
    const value = { text: 'a\u001b\u009b\u202e\u007fü\n' };
    const json = terminalSafeJson(value);
    expect(json).toBe('{"text":"a\\u001b\\u009b\\u202e\\u007fü\\n"}');
    expect(JSON.parse(json)).toEqual(value);
  });
});
