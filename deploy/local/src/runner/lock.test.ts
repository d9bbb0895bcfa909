import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { startedAt } from '../processes/supervise.js';
import { lockDataDir } from './lock.js';

const dir = freshFolder();

it('refuses a second runner, says who has it and what to do', async () => {
  const release = await lockDataDir(dir);
  await expect(lockDataDir(dir)).rejects.toThrow(`already runs on ${dir} (pid ${process.pid})`);
  await expect(lockDataDir(dir)).rejects.toThrow('DATA_DIR=');
  release();
  expect(readdirSync(dir)).toEqual([]);
  await lockAndRelease();
});

it('keeps the directory and what is written into it for its user alone', async () => {
  const before = process.umask();
  try {
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
  } finally {
    process.umask(before);
  }
});

it('leaves a directory open that others use too', async () => {
  const before = process.umask();
  try {
    chmodSync(dir, 0o1777);
    await lockAndRelease();
    expect(statSync(dir).mode & 0o7777).toBe(0o1777);
  } finally {
    process.umask(before);
  }
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

/** Starts a process that stays, prints its pid, and waits. */
const leaderOfOne = `
  const { spawn } = require('node:child_process');
  console.log(spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' }).pid);
  setInterval(() => undefined, 1000);`;

async function lockAndRelease(): Promise<void> {
  const release = await lockDataDir(dir);
  release();
}
