import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one that was given the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the words of the operating system; only good for comparison. */
  readonly started: string;
}

/** Undefined where no such process lives; a zombie counts as dead. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

/** True only while the very process that was recorded lives. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.started === identity.started;
}

/** The command line of a living process, arguments separated by spaces; empty where it cannot be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    }
    return ps(pid, 'command=');
  } catch {
    return '';
  }
}

function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const threads = Number(fields[17]);
    const ticksSinceBoot = fields[19];
    // While other threads of a dying process still run, it may still hold its ports and files.
    const dead = state === 'X' || (state === 'Z' && threads <= 1);
    if (dead || ticksSinceBoot === undefined) return undefined;
    return `${bootId()}:${ticksSinceBoot}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function startedByPs(pid: number): string | undefined {
  try {
    const line = ps(pid, 'stat=,lstart=');
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

function ps(pid: number, columns: string): string {
  const args = ['-o', columns, '-p', String(pid)];
  return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
