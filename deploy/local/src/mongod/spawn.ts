import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { type ProcessId, processIdOf } from '../processes/process-id.js';

export interface SpawnMongodOptions {
  /** The path of the program. */
  readonly binary: string;
  readonly dbPath: string;
  readonly port: number;
  /** The name of its replica set; without one it runs as a standalone server. */
  readonly replSet?: string;
  /** mongod appends its output here by itself, so logging survives the end of the runner. */
  readonly logFile: string;
}

export interface SpawnedMongod {
  readonly processId: ProcessId;
  readonly exited: Promise<MongodExit>;
  /** Undefined while it runs. */
  readonly exit: () => MongodExit | undefined;
}

/** How mongod ended, with the last error in its log. */
export interface MongodExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly complaint: string | undefined;
}

/** Starts mongod on loopback, in its own process group, so that Ctrl-C goes to the runner first. */
export async function spawnMongod(options: SpawnMongodOptions): Promise<SpawnedMongod> {
  mkdirSync(options.dbPath, { recursive: true });
  mkdirSync(dirname(options.logFile), { recursive: true });
  const output = openSync(options.logFile, 'a');
  const logStart = statSync(options.logFile).size;
  const child = spawn(options.binary, argumentsOf(options), {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let exit: MongodExit | undefined;
  const exited = new Promise<MongodExit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal, complaint: lastComplaint(options.logFile, logStart) };
      resolve(exit);
    });
  });
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid ?? 0;
  return { processId: processIdOf(pid) ?? { pid, started: 'ended at once' }, exited, exit: () => exit };
}

/** Resolves with true once the port accepts connections, or with false if the process ended before. */
export async function waitForPort(port: number, spawned: SpawnedMongod): Promise<boolean> {
  while (spawned.exit() === undefined) {
    if (await connects(port)) return true;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return false;
}

export function describeExit(exit: MongodExit): string {
  const how = exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`;
  return `mongod ended with ${how}${exit.complaint === undefined ? '' : `: ${exit.complaint}`}`;
}

function argumentsOf(options: SpawnMongodOptions): string[] {
  return [
    ...['--dbpath', options.dbPath, '--port', String(options.port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...(options.replSet === undefined ? [] : ['--replSet', options.replSet, '--oplogSize', '1024']),
    ...['--wiredTigerCacheSizeGB', '0.5', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ];
}

async function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The last error that mongod logged. It logs JSON lines; errors have the severity E or F. */
function lastComplaint(logFile: string, from: number): string | undefined {
  try {
    const lines = readFileSync(logFile).subarray(from).toString('utf8').trim().split('\n');
    return lines.map(complaintOf).findLast((complaint) => complaint !== undefined) ?? plainText(lines);
  } catch {
    return undefined;
  }
}

function complaintOf(line: string): string | undefined {
  if (!line.includes('"s":"E"') && !line.includes('"s":"F"')) return undefined;
  const { msg, attr } = JSON.parse(line) as { msg: string; attr?: { error?: unknown } };
  if (/abort\(\) called|backtrace|aborting after/i.test(msg)) return undefined;
  return attr?.error === undefined ? msg : `${msg} ${JSON.stringify(attr.error)}`;
}

function plainText(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => line !== '' && !line.startsWith('{'));
}
