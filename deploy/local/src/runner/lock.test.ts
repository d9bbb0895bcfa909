import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freshFolder } from '@knowledge/runtime/testing';
import { afterEach, expect, it } from 'vitest';
import { startedAt } from '../processes/supervise.js';
import { lockDataDir } from './lock.js';

const dir = freshFolder();
const umask = process.umask();
afterEach(() => void process.umask(umask));

it('refuses a second runner, says who has it and what to do', async () => {
  const release = await lockDataDir(dir);
  await expect(lockDataDir(dir)).rejects.toThrow(`already runs on ${dir} (pid ${process.pid})`);
  await expect(lockDataDir(dir)).rejects.toThrow('DATA_DIR=');
  release();
  expect(readdirSync(dir)).toEqual([]);
  await lockAndRelease();
});

it('keeps the directory and what is written into it for its user alone', async () => {
  const fresh = join(dir, 'fresh');
  await lockDataDir(fresh);
  mkdirSync(join(fresh, 'mongodb'));
  writeFileSync(join(fresh, 'log'), '');
  const modes = () => ['', 'mongodb', 'log', 'runner.lock'].map((name) => statSync(join(fresh, name)).mode & 0o777);
  expect(modes()).toEqual([0o700, 0o700, 0o600, 0o600]);
  chmodSync(fresh, 0o755);
  rmSync(join(fresh, 'runner.lock'));
  await lockDataDir(fresh);
  expect(modes()[0]).toBe(0o700);
});

it('leaves a directory open that others use too', async () => {
  chmodSync(dir, 0o1777);
  await lockAndRelease();
  expect(statSync(dir).mode & 0o7777).toBe(0o1777);
});

it('takes over the lock of a runner that was killed, and ends the processes that it left', async () => {
  const child = spawn(process.execPath, ['-e', leaderOfOne], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [output] = await once(child.stdout, 'data');
  const left = Number(output);
  const pid = child.pid ?? 0;
  writeFileSync(join(dir, 'runner.lock'), JSON.stringify({ pid, started: startedAt(pid) }));
  await expect(lockDataDir(dir)).rejects.toThrow(`pid ${pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(startedAt(left)).toBeDefined();
  const release = await lockDataDir(dir);
  expect(startedAt(left)).toBeUndefined();
  release();
});

it('is not fooled by another process that has the pid now', async () => {
  writeFileSync(join(dir, 'runner.lock'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
  await lockAndRelease();
});

it.each(['', 'null', '{"pid":"x"}', '[1'])('takes over a lock file that holds %j', async (content) => {
  writeFileSync(join(dir, 'runner.lock'), content);
  await lockAndRelease();
});

it('does not remove the lock of a successor', async () => {
  const release = await lockDataDir(dir);
  writeFileSync(join(dir, 'runner.lock'), JSON.stringify({ pid: 1, started: 'somebody else' }));
  release();
  expect(existsSync(join(dir, 'runner.lock'))).toBe(true);
});

it.each([
  ['was killed', 2 ** 30],
  ['hangs', process.pid],
])('lets one start at a time build after a start that %s', async (_, owner) => {
  const lock = join(dir, `building-${owner}`);
  symlinkSync(String(owner), lock);
  const starts = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', builder, lock]));
  const intervals = await Promise.all(
    starts.map(async ({ stdout }) => JSON.parse((await text(stdout)).split('\n').at(-2) ?? '')),
  );
  const [first, second, third] = intervals.toSorted() as [number[], number[], number[]];
  expect(second[0]).toBeGreaterThanOrEqual(first[1] as number);
  expect(third[0]).toBeGreaterThanOrEqual(second[1] as number);
  expect(existsSync(lock)).toBe(false);
});

/** Builds for 400 ms, waits no longer than 800 ms for another, and prints when it began and ended. */
const builder = `
  import { oneAtATime } from '${fileURLToPath(new URL('../../bin/one-at-a-time.mjs', import.meta.url))}';
  await oneAtATime(process.argv[1], 800, async () => {
    const began = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 400));
    console.log(JSON.stringify([began, Date.now()]));
  });`;

/** Starts a process that stays, prints its pid, and waits. */
const leaderOfOne = `
  const { spawn } = require('node:child_process');
  console.log(spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' }).pid);
  setInterval(() => undefined, 1000);`;

async function lockAndRelease(): Promise<void> {
  const release = await lockDataDir(dir);
  release();
}
