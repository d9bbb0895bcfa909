import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, type ProcessId } from '../processes/process-id.js';
import { launchProgram } from './launch.js';
import { type SupervisedProcess, supervise } from './supervise.js';

let dir: string;
let launched: ProcessId[];
let lines: string[];
let supervised: SupervisedProcess | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'supervise-'));
  launched = [];
  lines = [];
});
afterEach(async () => {
  await supervised?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Writes its pid to the file `ready`, and `stopped` when it ends in order. */
const steadyProgram = `
  const { writeFileSync } = require('node:fs');
  process.on('SIGTERM', () => { writeFileSync('stopped', 'in order'); process.exit(0); });
  writeFileSync('ready', String(process.pid));
  setInterval(() => undefined, 1000);`;

describe('a supervised process', () => {
  it('answers, and is ended by SIGTERM', async () => {
    supervised = watch(steadyProgram);
    await supervised.answering;
    await supervised.stop();
    expect(launched.filter(isAlive)).toEqual([]);
    expect(readFileSync(join(dir, 'stopped'), 'utf8')).toBe('in order');
    expect(lines).toEqual([]);
  });

  it('is started again when it is killed, and the log says so', async () => {
    supervised = watch(steadyProgram);
    await supervised.answering;
    process.kill(launched[0]?.pid ?? 0, 'SIGKILL');
    await until(() => lines.length === 2);
    expect(lines).toEqual(['ended (SIGKILL), is started again in 0.1 s', `is back (pid ${launched[1]?.pid})`]);
    expect(launched.map(isAlive)).toEqual([false, true]);
  });

  it('is started later and later while it does not hold', async () => {
    supervised = watch(`if (require('node:fs').existsSync('broken')) process.exit(7); ${steadyProgram}`);
    await supervised.answering;
    writeFileSync(join(dir, 'broken'), '');
    process.kill(launched[0]?.pid ?? 0, 'SIGKILL');
    await until(() => launched.length >= 4);
    await supervised.stop();
    const waits = lines.map((line) => /again in (\S+) s/.exec(line)?.[1]).filter((wait) => wait !== undefined);
    expect(waits.slice(0, 3)).toEqual(['0.1', '0.2', '0.4']);
    expect(lines[1]).toContain('exit code 7');
  });

  it('is given up when it ends three times before it ever answered', async () => {
    supervised = watch('process.exit(3)');
    await expect(supervised.answering).rejects.toThrow('thing does not start: exit code 3');
    expect(launched).toHaveLength(3);
  });

  it('is killed when it does not end in its grace, and at once in a hurry', async () => {
    const stubborn = `${steadyProgram} process.removeAllListeners('SIGTERM'); process.on('SIGTERM', () => undefined);`;
    supervised = watch(stubborn, 300);
    await supervised.answering;
    await supervised.stop();
    rmSync(join(dir, 'ready'));
    supervised = watch(stubborn, 60_000);
    await supervised.answering;
    await supervised.stop(AbortSignal.abort());
    expect(launched.filter(isAlive)).toEqual([]);
  });

  it('is not started again by a stop that comes while it is down', async () => {
    supervised = watch(steadyProgram);
    await supervised.answering;
    process.kill(launched[0]?.pid ?? 0, 'SIGKILL');
    await until(() => lines.length === 1);
    await supervised.stop();
    expect(launched.filter(isAlive)).toEqual([]);
  });
});

function watch(script: string, stopGraceMs = 5_000): SupervisedProcess {
  const main = join(dir, 'main.cjs');
  writeFileSync(main, `process.chdir(${JSON.stringify(dir)});${script}`);
  return supervise({
    name: 'thing',
    stopGraceMs,
    log: (line) => lines.push(line),
    onLaunch: (processId) => launched.push(processId),
    launch: async () => {
      rmSync(join(dir, 'ready'), { force: true });
      const program = { name: 'thing', main, env: process.env };
      return launchProgram({ program, logFile: join(dir, 'thing.log'), untilReady });
    },
  });
}

async function untilReady(ended: AbortSignal): Promise<void> {
  while (!existsSync(join(dir, 'ready'))) await delay(10, undefined, { signal: ended });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10);
}
