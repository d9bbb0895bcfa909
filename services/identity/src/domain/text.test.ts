import { expect, it } from 'vitest';
import { maskEmail, requireAgentName, requirePurpose } from './text.js';

it.each([
  ...['GPT-4.1', 'research-agent/2.1', 'claude-sonnet-4-20250514', 'Atlas', "Ana's agent (v2) +1_x-y", 'Агент 007'],
  ...['名前', 'नमस्ते', 'x'.repeat(60), '𝒳'.repeat(60)],
])('accepts the agent name %s', (name) => {
  expect(requireAgentName(name)).toBe(name);
});

it.each([
  ...['', '   ', 'x'.repeat(61), '.example', 'evil.example', 'evil.', '/x', 'x/', 'http://x', 'a@b', 'a:b', 'a\nb'],
  ...['a\u202eb', 'a\u200bb', 'a<b>', 'a"b', '\u3164', '\u0301', '🤖', 'a\0', 'Example GmbH', '()', '- +', 'undefined'],
  ...['Null', 'your agent name', 'a\u034fb', `a${'\u0301'.repeat(9)}`, 'Approved by staff', 'Trusted agent'],
])('refuses the agent name %j', (name) => {
  expect(() => requireAgentName(name, 'Example GmbH')).toThrow(/agent_name/);
});

it('limits a purpose in code points', () => {
  expect(requirePurpose('😀'.repeat(500))).toHaveLength(1000);
  expect(() => requirePurpose('😀'.repeat(501))).toThrow(/purpose/);
});

it('refuses a purpose with hidden characters and names them', () => {
  const message = 'purpose must not contain U+202E (right-to-left override) at character 2.';
  expect(() => requirePurpose('a\u202eb')).toThrow(expect.objectContaining({ code: 'validation_error', message }));
});

it('masks an e-mail for its agent', () => expect(maskEmail('jane.doe@example.org')).toBe('j•••@example.org'));
