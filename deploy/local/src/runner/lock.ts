import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJsonFile } from '../files/json-file.js';
import { endGroup, StartError, startedAt } from '../processes/supervise.js';

/** The runner of a data directory. It leads the group of its processes. */
interface Owner {
  readonly pid: number;
  readonly started: string;
}

/**
 * Makes this process the only runner of a data directory. If the last runner and its terminal were both killed,
 * it first ends the processes that they left. @returns a function that releases the lock
 * @throws StartError while another runner uses the directory
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  keepForOwner(dataDir);
  const path = join(dataDir, 'runner.lock');
  const mine: Owner = { pid: process.pid, started: startedAt(process.pid) ?? '' };
  const prepared = `${path}.${process.pid}`;
  writeFileSync(prepared, JSON.stringify(mine));
  try {
    // Creating a link is atomic, and fails if the name exists.
    while (!tryLink(prepared, path)) await removeStale(path, dataDir);
  } finally {
    rmSync(prepared, { force: true });
  }
  return () => removeLock(path, mine);
}

// Only this user may read the files, since database and mails contain other people's data.
function keepForOwner(dataDir: string) {
  process.umask(0o077);
  const made = makeDirectory(dataDir);
  // Closes a directory that an older start left readable, but never a shared one such as /tmp.
  const isOurs = existsSync(join(dataDir, 'mongodb')) && (statSync(dataDir).mode & 0o1000) === 0;
  if (!made && isOurs) chmodSync(dataDir, 0o700);
}

// Not `recursive`, with which Node tries for ever where the system refuses with ENOENT, as in /proc. Returns whether it made it.
function makeDirectory(path: string) {
  if (existsSync(path)) return false;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  return true;
}

function tryLink(from: string, to: string) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeStale(path: string, dataDir: string) {
  const owner = ownerOf(path);
  const running = owner === undefined ? undefined : startedAt(owner.pid);
  if (owner !== undefined && running === owner.started) throw new StartError(inUse(owner.pid, dataDir));
  // No process gets the pid of a leader while its group exists. So this is the group of the killed runner.
  if (owner !== undefined && running === undefined) await endGroup(owner.pid);
  removeLock(path, owner);
}

/** Leaves the lock of a successor alone. */
function removeLock(path: string, owner: Owner | undefined) {
  const now = ownerOf(path);
  if (now?.pid === owner?.pid && now?.started === owner?.started) rmSync(path, { force: true });
}

function inUse(pid: number, dataDir: string) {
  return `The service already runs on ${dataDir} (pid ${pid}).\nStop it first (kill ${pid}), or give this start a directory and a port of its own: DATA_DIR=.data2 PORT=0 npm start`;
}

function ownerOf(path: string) {
  const owner = readJsonFile(path) as Partial<Owner> | undefined;
  const isOwner = typeof owner?.pid === 'number' && owner.pid > 1 && typeof owner.started === 'string';
  return isOwner ? (owner as Owner) : undefined;
}
