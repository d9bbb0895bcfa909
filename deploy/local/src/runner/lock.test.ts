import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processIdOf } from '../processes/process-id.js';
import { currentRunner, lockDataDir } from './lock.js';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the lock of a data directory', () => {
  it('refuses a second runner, says who has it and what to do', () => {
    const lock = lockDataDir(dir);
    expect(() => lockDataDir(dir)).toThrow(`already runs on ${dir} (pid ${process.pid})`);
    expect(() => lockDataDir(dir)).toThrow('DATA_DIR=');
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
    lockDataDir(dir).release();
  });

  it('keeps the directory and what is written into it for its user alone', () => {
    const before = process.umask();
    try {
      const fresh = join(dir, 'fresh');
      lockDataDir(fresh);
      mkdirSync(join(fresh, 'mongodb'));
      writeFileSync(join(fresh, 'log'), '');
      const modes = () => ['', 'mongodb', 'log', 'runner.lock'].map((name) => statSync(join(fresh, name)).mode & 0o777);
      expect(modes()).toEqual([0o700, 0o700, 0o600, 0o600]);
      chmodSync(fresh, 0o755);
      rmSync(join(fresh, 'runner.lock'));
      lockDataDir(fresh);
      expect(modes()[0]).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  it('leaves a directory open that others use too', () => {
    const before = process.umask();
    try {
      chmodSync(dir, 0o1777);
      lockDataDir(dir).release();
      expect(statSync(dir).mode & 0o7777).toBe(0o1777);
    } finally {
      process.umask(before);
    }
  });

  it('takes over the lock of a runner that was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    await once(child, 'spawn');
    writeFileSync(join(dir, 'runner.lock'), JSON.stringify(processIdOf(child.pid ?? 0)));
    expect(() => lockDataDir(dir)).toThrow(`pid ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(currentRunner(dir)).toBeUndefined();
    const lock = lockDataDir(dir);
    expect(currentRunner(dir)?.pid).toBe(process.pid);
    lock.release();
  });

  it('is not fooled by another process that has the pid now', () => {
    writeFileSync(join(dir, 'runner.lock'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
    lockDataDir(dir).release();
  });

  it.each(['', 'null', '{"pid":"x"}', '[1'])('takes over a lock file that holds %j', (content) => {
    writeFileSync(join(dir, 'runner.lock'), content);
    lockDataDir(dir).release();
  });

  it('does not remove the lock of a successor', () => {
    const lock = lockDataDir(dir);
    writeFileSync(join(dir, 'runner.lock'), JSON.stringify({ pid: 1, started: 'somebody else' }));
    lock.release();
    expect(existsSync(join(dir, 'runner.lock'))).toBe(true);
  });
});
