import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../files/json-file.js';
import { isAlive, type ProcessId, processIdOf } from '../processes/process-id.js';

/** Another runner uses this data directory. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

export interface DataDirLock {
  release(): void;
}

/**
 * Makes this process the only runner of a data directory. Replaces the lock of a runner that has ended.
 * @throws DataDirInUseError while another runner uses it
 */
export function lockDataDir(dataDir: string): DataDirLock {
  keepForOwner(dataDir);
  const path = join(dataDir, 'runner.lock');
  const mine = processIdOf(process.pid) ?? { pid: process.pid, started: '' };
  const prepared = `${path}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(mine));
  try {
    // Creating a link is atomic, and fails if the name exists.
    while (!tryLink(prepared, path)) removeStale(path, dataDir);
  } finally {
    rmSync(prepared, { force: true });
  }
  return {
    release: () => {
      if (isSame(ownerOf(path), mine)) rmSync(path, { force: true });
    },
  };
}

// Only this user may read the files, since database and mails contain other people's data.
function keepForOwner(dataDir: string): void {
  process.umask(0o077);
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined;
  // Closes a directory that an older start left readable, but never a shared one such as /tmp.
  if (!made && existsSync(join(dataDir, 'mongodb')) && (statSync(dataDir).mode & 0o1000) === 0)
    chmodSync(dataDir, 0o700);
}

/** The runner that uses a directory now, if any. */
export function currentRunner(dataDir: string): ProcessId | undefined {
  const owner = ownerOf(join(dataDir, 'runner.lock'));
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeStale(path: string, dataDir: string): void {
  const owner = ownerOf(path);
  if (owner !== undefined && isAlive(owner)) throw inUse(owner, dataDir);
  // Another start may have replaced the stale lock since we read it. Then we moved away a valid lock.
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = ownerOf(aside);
  if (moved !== undefined && isAlive(moved)) {
    tryLink(aside, path);
    rmSync(aside, { force: true });
    throw inUse(moved, dataDir);
  }
  rmSync(aside, { force: true });
}

function inUse(owner: ProcessId, dataDir: string): DataDirInUseError {
  return new DataDirInUseError(
    `The service already runs on ${dataDir} (pid ${owner.pid}).\nStop it first (kill ${owner.pid}), or give this start a directory and a port of its own: DATA_DIR=.data2 PORT=0 npm start`,
  );
}

function ownerOf(path: string): ProcessId | undefined {
  const owner = readJsonFile(path) as Partial<ProcessId> | undefined;
  if (typeof owner?.pid !== 'number' || typeof owner.started !== 'string') return undefined;
  return { pid: owner.pid, started: owner.started };
}

function isSame(one: ProcessId | undefined, other: ProcessId): boolean {
  return one?.pid === other.pid && one.started === other.started;
}
