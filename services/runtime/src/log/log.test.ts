import { expect, it } from 'vitest';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { createLogger, prettyLine, serializeError, writeInfoLine } from './logger.js';

function recorded() {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

it('writes one JSON line with name, level, time and message', () => {
  const { log, last } = recorded();
  log.info({ route: '/x' }, 'request');
  expect(last()).toMatchObject({ name: 'test', level: 'info', message: 'request', route: '/x' });
  expect(last().time).toMatch(/^\d{4}-\d\d-\d\dT.+Z$/);
});

it('writes the same line from fields that are JSON already', () => {
  const { log, lines } = recorded();
  log.info({ route: '/x', status: 200 }, 'request');
  writeInfoLine(log, '"route":"/x","status":200', 'request');
  const [one, other] = lines.map((line) => line.replace(/"time":"[^"]+"/, ''));
  expect(other).toBe(one);
  log.level = 'warn';
  writeInfoLine(log, '"route":"/x"', 'request');
  expect(lines).toHaveLength(2);
});

it('redacts secrets and addresses at any depth, also in child loggers', () => {
  const { log, lines } = recorded();
  const secrets = { authorization: 's3cret', token: 's3cret', device_code: 's3cret', email: 's3cret', key: 's3cret' };
  log.info(secrets, 'flat');
  log.info({ headers: secrets, query: { code: 's3cret' }, list: [{ a: { userCode: 's3cret' } }] }, 'deep');
  log.child({ email: 's3cret', request_id: 'r' }).child({ token: 's3cret' }).info('child');
  expect(lines.join('')).not.toContain('s3cret');
  expect(lines.join('')).toContain('"request_id":"r"');
});

it('does not change the logged object', () => {
  const { log } = recorded();
  const facts = { headers: { authorization: 'Bearer x' } };
  log.info(facts, 'request');
  expect(facts.headers.authorization).toBe('Bearer x');
});

it('does not let a value start a new line', () => {
  const { log, lines } = recorded();
  log.info({ agent: 'a\n{"level":"fatal"}' }, 'x\ny');
  expect(lines.join('').trim().split('\n')).toHaveLength(1);
});

it('logs the chain of causes and the reason of an error, and none of its other properties', () => {
  const { log, last } = recorded();
  const inner = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', body: 'user text' });
  log.error({ err: new KnowledgeError('unavailable', 'Later.', { cause: inner }) }, 'failed');
  expect(last().err).toMatchObject({
    type: 'KnowledgeError',
    reason: 'unavailable',
    cause: { message: 'refused', reason: 'ECONNREFUSED' },
  });
  expect(JSON.stringify(last())).not.toContain('user text');
});

it('handles a chain of causes that is a loop', () => {
  const error = new Error('loop');
  error.cause = error;
  expect(JSON.stringify(serializeError(error)).length).toBeLessThan(50_000);
});

it('can write lines for people', () => {
  const { log, lines } = recorded();
  log.warn({ a: 1, err: new Error('why') }, 'look');
  const pretty = prettyLine(lines[0] ?? '');
  expect(pretty).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}test {2}look {2}a=1\n {4}Error: why/);
  expect(prettyLine('not json\n')).toBe('not json\n');
});
