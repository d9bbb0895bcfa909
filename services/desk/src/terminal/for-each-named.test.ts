import { PassThrough } from 'node:stream';
import { KnowledgeError } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { PartialFailure } from '../base/desk-error.js';
import { reportFailure } from '../base/failure.js';
import { Printer } from '../base/printer.js';
import type { Session } from '../base/session.js';
import { forEachNamed } from './command-table.js';

const outcomes: Readonly<Record<string, unknown>> = {
  a: { id: 'a' },
  b: new KnowledgeError('invalid_state', 'It is published now.'),
  c: { id: 'c' },
  d: new KnowledgeError('unavailable', 'The service is away.'),
};

/** Runs the command for some names, and returns what it printed and its error. */
async function run(words: string[], json: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const host = { stdin: new PassThrough(), stdout, stderr, env: {} };
  const session = { print: new Printer(host, json) } as Pick<Session, 'print'> as Session;
  const work = async (word: string): Promise<{ id: string }> => {
    const outcome = outcomes[word];
    if (outcome instanceof Error) throw outcome;
    return outcome as { id: string };
  };
  const failure = await forEachNamed(session, words, work, { text: ({ id }) => `${id} is done.` }).catch(
    (error) => error,
  );
  if (failure !== undefined) expect(reportFailure(failure, host, json)).toBe(1);
  return { failure, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

it('goes on after a refusal, and reports each refusal', async () => {
  const { failure, out, err } = await run(['a', 'b', 'c'], false);
  expect(failure).toBeInstanceOf(PartialFailure);
  expect(out).toBe('a is done.\nc is done.\n');
  expect(err).toMatch(/^knowledge: invalid_state: b: It is published now\.\n$/);
});

it('stops if the service is down, and names the items that it did not try', async () => {
  const { out, err } = await run(['a', 'd', 'b', 'c'], true);
  expect(JSON.parse(out)).toEqual([{ id: 'a' }]);
  expect(
    err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { error: 'unavailable', id: 'd' },
    { error: 'cancelled', id: 'b', message: 'Not tried.' },
    { error: 'cancelled', id: 'c' },
  ]);
});

it('prints a single result as an object, and throws its error unchanged', async () => {
  expect(JSON.parse((await run(['a'], true)).out)).toEqual({ id: 'a' });
  expect((await run(['b'], false)).failure).toBe(outcomes['b']);
});
