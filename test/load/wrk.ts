import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface LoadResult {
  requestsPerSecond: number;
  /** The median response time in milliseconds. `p99` is the 99th percentile. */
  p50: number;
  p99: number;
  requests: number;
  /** The bytes of a response with its headers; only of `get.lua`. */
  bytes?: number;
  /** The number of responses with status 400 or above, and of broken connections. */
  bad: number;
  /** The CPU microseconds per request, by process. */
  cpuMicros: Record<string, number>;
}

export interface Load {
  url: string;
  script: 'read.lua' | 'get.lua';
  connections: number;
  seconds: number;
  env?: Record<string, string>;
  /** The ids of the processes whose CPU time is measured, by name. */
  pids: Record<string, number>;
}

const run = promisify(execFile);
const ticksPerSecond = 100;

/** Runs wrk with a URL on loopback. Measures the CPU time of the named processes. */
export async function runLoad({ url, script, connections, seconds, env = {}, pids }: Load): Promise<LoadResult> {
  if (!/^http:\/\/127\.0\.0\.1:/.test(url)) throw new Error('Load goes to loopback only.');
  const before = cpuOf(pids);
  const file = fileURLToPath(new URL(`../../load/${script}`, import.meta.url));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '5s', '-s', file, url];
  const { stdout } = await run('wrk', args, { env: { PATH: process.env['PATH'], ...env } });
  const after = cpuOf(pids);
  const line = /RESULT (.*)/.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`wrk said nothing useful:\n${stdout}`);
  const result = JSON.parse(line) as Record<'requests' | 'seconds' | 'p50' | 'p99' | 'bad' | 'broken', number> & {
    readonly bytes?: number;
  };
  const micros = (name: string): number => (((after[name] ?? 0) - (before[name] ?? 0)) * 1e6) / ticksPerSecond;
  return {
    requestsPerSecond: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    requests: result.requests,
    ...(result.bytes !== undefined && { bytes: result.bytes / result.requests }),
    bad: result.bad + result.broken,
    cpuMicros: Object.fromEntries(Object.keys(pids).map((name) => [name, micros(name) / result.requests])),
  };
}

/** Reads the CPU time of processes, in ticks of 10 ms. User and system time are fields 14 and 15 of /proc/PID/stat. */
export function cpuOf(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return [name, Number(fields[11]) + Number(fields[12])];
    }),
  );
}
