import { expect, it } from 'vitest';
import { createTerminal } from './fleet.js';

const line = (level: string, facts: object = {}) =>
  JSON.stringify({ level, time: '…', name: 'content', message: 'hello', ...facts });

it('is errors always and warnings once all is settled', () => {
  expect(shown(line('error', { err: { message: 'no', cause: { message: 'why' } } }))).toBe(
    'content        error  hello  no (why)\n',
  );
  expect(shown(line('warn', { port: 3 }))).toBe('content        warn  hello  port=3\n');
  expect(shown(line('warn'), { settled: false })).toBe('');
  expect(shown(line('info'))).toBe('');
});

it('is everything when asked for', () => {
  expect(shown(line('info'), { all: true })).toBe('content        info  hello\n');
  expect(shown('{"s":"W","msg":"access control"}', { all: true, name: 'mongod' })).toContain('access control');
});

it('is what Node itself prints at a crash', () => {
  expect(shown('TypeError: x is not a function')).toContain('TypeError');
  expect(shown('(node:7) [DEP0001] DeprecationWarning: old')).toBe('');
});

it('is of mongod only what ends it', () => {
  expect(shown('{"s":"E","msg":"hm"}', { name: 'mongod' })).toBe('');
  expect(shown('{"s":"F","msg":"Wrong version","attr":{"a":1}}', { name: 'mongod' })).toContain(
    'Wrong version  {"a":1}',
  );
});

function shown(text: string, { all = false, settled = true, name = 'content' } = {}): string {
  let out = '';
  const write = (part: string): void => {
    out += part;
  };
  createTerminal({ write, all, settled: () => settled }).logged(name, text);
  return out;
}
