import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../files/json-file.js';
import { identifyProcess, isAlive, type ProcessIdentity } from '../processes/identity.js';

/** Somebody else runs on this directory. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

export interface DataDirLock {
  release(): void;
}

/**
 * Makes this process the only runner on a data directory. The lock of a runner that no longer lives is taken over.
 * @throws DataDirInUseError while another lives
 */
export function lockDataDir(dataDir: string): DataDirLock {
  keepForOwner(dataDir);
  const path = join(dataDir, 'runner.lock');
  const mine = identifyProcess(process.pid) ?? { pid: process.pid, started: '' };
  const prepared = `${path}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(mine));
  try {
    // A link appears with its content or not at all, and only where nothing has the name yet.
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

// Its files and those of its children are for this user alone: the database and the mails hold other people's data.
function keepForOwner(dataDir: string): void {
  process.umask(0o077);
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined;
  // A directory that an older start left open is closed; one that holds other things, like /tmp, is not ours to close.
  if (!made && existsSync(join(dataDir, 'mongodb')) && (statSync(dataDir).mode & 0o1000) === 0)
    chmodSync(dataDir, 0o700);
}

/** The living runner of a directory, if there is one. */
export function livingRunner(dataDir: string): ProcessIdentity | undefined {
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
  // Another start may have taken the stale lock over since it was read: then what is moved away here is a living one.
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

function inUse(owner: ProcessIdentity, dataDir: string): DataDirInUseError {
  return new DataDirInUseError(
    `The service already runs on ${dataDir} (pid ${owner.pid}).\nStop it first (kill ${owner.pid}), or give this start a directory and a port of its own: DATA_DIR=.data2 PORT=0 npm start`,
  );
}

function ownerOf(path: string): ProcessIdentity | undefined {
  const owner = readJsonFile(path) as Partial<ProcessIdentity> | undefined;
  if (typeof owner?.pid !== 'number' || typeof owner.started !== 'string') return undefined;
  return { pid: owner.pid, started: owner.started };
}

function isSame(one: ProcessIdentity | undefined, other: ProcessIdentity): boolean {
  return one?.pid === other.pid && one.started === other.started;
}
