// Plain JavaScript without dependencies, since nothing may be installed yet.
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Waits while another process works, since both would write the same files. The lock of a process that has ended, or
 * works for longer than `longestMs`, counts as none.
 */
export async function oneAtATime(lockFile, longestMs, work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  let owner;
  let since = 0;
  while (!takeLock(lockFile)) {
    if (since === 0) process.stdout.write('Waiting for another start that builds …\n');
    const now = ownerOf(lockFile);
    if (now !== owner || since === 0) [owner, since] = [now, Date.now()];
    if (!isRunning(owner) || Date.now() > since + longestMs) removeLock(lockFile, owner);
    await setTimeout(100);
  }
  try {
    return await work();
  } finally {
    removeLock(lockFile, String(process.pid));
  }
}

// A link has its whole content from the moment at which it is there.
function takeLock(lockFile) {
  try {
    symlinkSync(String(process.pid), lockFile);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Leaves the lock of a successor alone. */
function removeLock(lockFile, owner) {
  if (ownerOf(lockFile) === owner) rmSync(lockFile, { force: true });
}

function ownerOf(lockFile) {
  try {
    return readlinkSync(lockFile);
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    // Without the link the other process has just finished.
    return error.code !== 'ESRCH';
  }
}
