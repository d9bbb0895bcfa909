import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const graceMs = 30_000;

/** Ends the processes of a group whose leader is gone. After 30 s, SIGKILL ends those that ignored SIGTERM. */
export async function endGroup(leader: number): Promise<void> {
  const giveUp = Date.now() + graceMs;
  signalGroup(leader, 'SIGTERM');
  while (signalGroup(leader, 0) && Date.now() < giveUp) await delay(20);
  signalGroup(leader, 'SIGKILL');
}

/** @returns false if no process of the group is left */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * When the process with this pid was started, in the notation of the operating system; undefined if none runs.
 * Systems reuse pids, so only both together name a process. A zombie does not count as running.
 */
export function startedAt(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  } catch {
    return undefined;
  }
}

function startedOnLinux(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets, which may contain spaces, so count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${boot}:${fields[19]}`;
}

function startedByPs(pid: number): string | undefined {
  const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
  const line = execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}
