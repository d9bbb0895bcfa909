import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freshFolder } from '@knowledge/runtime/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SupervisedProgram, startedAt, supervise } from './supervise.js';

const dir = freshFolder();
let launched: number[];
let lines: string[];
let supervised: SupervisedProgram | undefined;

beforeEach(() => {
  launched = [];
  lines = [];
});
afterEach(() => supervised?.stop());

/** Writes its pid to the file `ready`, and `stopped` when it ends in order. */
const steadyProgram = `
  const { writeFileSync } = require('node:fs');
  process.on('SIGTERM', () => { writeFileSync('stopped', 'in order'); process.exit(0); });
  writeFileSync('ready', String(process.pid));
  setInterval(() => undefined, 1000);`;

it('answers, and is ended by SIGTERM', async () => {
  supervised = watch(steadyProgram);
  await supervised.ready;
  await supervised.stop();
  expect(launched.filter(isAlive)).toEqual([]);
  expect(readFileSync(join(dir, 'stopped'), 'utf8')).toBe('in order');
  expect(lines).toEqual([]);
});

it('is started again when it is killed, and the log says so', async () => {
  supervised = watch(steadyProgram);
  await supervised.ready;
  process.kill(launched[0] ?? 0, 'SIGKILL');
  await until(() => lines.length === 2);
  expect(lines).toEqual(['ended (SIGKILL), is started again in 0.1 s', `is back (pid ${launched[1]})`]);
  expect(launched.map(isAlive)).toEqual([false, true]);
});

it('is started later and later while it does not hold', async () => {
  supervised = watch(`if (require('node:fs').existsSync('broken')) process.exit(7); ${steadyProgram}`);
  await supervised.ready;
  writeFileSync(join(dir, 'broken'), '');
  process.kill(launched[0] ?? 0, 'SIGKILL');
  await until(() => launched.length >= 4);
  await supervised.stop();
  const waits = lines.map((line) => /again in (\S+) s/.exec(line)?.[1]).filter((wait) => wait !== undefined);
  expect(waits.slice(0, 3)).toEqual(['0.1', '0.2', '0.4']);
  expect(lines[1]).toContain('exit code 7');
});

it('is given up when it ends three times before it ever answered', async () => {
  supervised = watch('process.exit(3)');
  await expect(supervised.ready).rejects.toThrow('thing does not start: exit code 3. Its log is ');
  expect(launched).toHaveLength(3);
});

it('is given up at once when it says that its configuration is wrong, with its words', async () => {
  supervised = watch("console.error('The configuration is wrong:\\n  PORT is 1.\\n  HOST is 2.'); process.exit(1)");
  await expect(supervised.ready).rejects.toThrow(
    'thing does not start. The configuration is wrong:\n  PORT is 1.\n  HOST is 2.',
  );
  expect(launched).toHaveLength(1);
});

it('is killed when it does not end in its grace, and at once in a hurry', async () => {
  const stubborn = `${steadyProgram} process.removeAllListeners('SIGTERM'); process.on('SIGTERM', () => undefined);`;
  supervised = watch(stubborn, 300);
  await supervised.ready;
  await supervised.stop();
  rmSync(join(dir, 'ready'));
  supervised = watch(stubborn, 60_000);
  await supervised.ready;
  await supervised.stop(AbortSignal.abort());
  expect(launched.filter(isAlive)).toEqual([]);
});

it('is not started again by a stop that comes while it is down', async () => {
  supervised = watch(steadyProgram);
  await supervised.ready;
  process.kill(launched[0] ?? 0, 'SIGKILL');
  await until(() => lines.length === 1);
  await supervised.stop();
  expect(launched.filter(isAlive)).toEqual([]);
});

function watch(script: string, stopGraceMs = 5_000): SupervisedProgram {
  const main = join(dir, 'main.cjs');
  writeFileSync(main, `process.chdir(${JSON.stringify(dir)});${script}`);
  return supervise(
    { name: 'thing', command: [process.execPath, main], env: process.env, untilReady, stopGraceMs },
    { logFile: join(dir, 'thing.log'), log: (line) => lines.push(line), onLaunch: (pid) => launched.push(pid) },
  );
}

async function untilReady(ended: AbortSignal): Promise<void> {
  const isReady = () => existsSync(join(dir, 'ready')) && readFileSync(join(dir, 'ready'), 'utf8') === String(pid);
  const pid = launched.at(-1);
  while (!isReady()) await delay(10, undefined, { signal: ended });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10);
}

function isAlive(pid: number): boolean {
  return startedAt(pid) !== undefined;
}
