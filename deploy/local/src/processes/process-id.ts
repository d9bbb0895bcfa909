import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A pid with the start time of its process, since systems reuse pids. */
export interface ProcessId {
  readonly pid: number;
  /** The start time in the notation of the operating system; only for comparison. */
  readonly started: string;
}

/** Undefined if no such process runs; a zombie does not count as running. */
export function processIdOf(pid: number): ProcessId | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

/** Whether this very process still runs, and not a later one with its pid. */
export function isAlive(processId: ProcessId): boolean {
  return processIdOf(processId.pid)?.started === processId.started;
}

/** The command line of a running process, separated by spaces; empty if it cannot be read. */
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
    // The second field is the program's name in brackets, which may contain spaces, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const threads = Number(fields[17]);
    const ticksSinceBoot = fields[19];
    // A zombie whose other threads still run may still have its ports and files open.
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
