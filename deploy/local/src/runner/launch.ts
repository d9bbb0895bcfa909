import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type RunningMongod, type StartMongodOptions, startMongod } from '../mongod/start.js';
import { identifyProcess } from '../processes/identity.js';
import type { Program } from './services.js';
import type { Launched } from './supervise.js';

export interface LaunchOptions {
  readonly program: Program;
  readonly logFile: string;
  /** Resolves when the process does its work; gives up when the signal, which tells its end, is aborted. */
  readonly untilReady: (ended: AbortSignal) => Promise<void>;
}

/**
 * Starts a Node program in a process group of its own, so that a Ctrl-C reaches it in the order of the runner.
 * It writes into its log file by itself: a slow terminal or a killed runner cannot hold it up.
 */
export async function launchProgram({ program, logFile, untilReady }: LaunchOptions): Promise<Launched> {
  if (!existsSync(program.main)) throw new Error(`${program.main} is missing; npm run build makes it`);
  mkdirSync(dirname(logFile), { recursive: true });
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [program.main], {
    env: program.env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = new AbortController();
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      ended.abort();
      resolve(describeEnd(code, signal));
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', reject);
  });
  const answering = untilReady(ended.signal);
  // An end before it answered is told by `exited`.
  answering.catch(() => undefined);
  return { identity: identifyProcess(pid) ?? { pid, started: 'ended at once' }, exited, answering };
}

/** Starts mongod; `onReady` gets it once it accepts writes. */
export async function launchMongod(
  options: StartMongodOptions,
  onReady: (mongod: RunningMongod) => void,
): Promise<Launched> {
  return new Promise((resolve, reject) => {
    const answering = startMongod({
      ...options,
      onSpawn: ({ identity, exited }) => {
        const ended = exited.then(({ code, signal, complaint }) => {
          const how = describeEnd(code, signal);
          return complaint === undefined ? how : `${how}: ${complaint}`;
        });
        resolve({ identity, exited: ended, answering });
      },
    }).then(onReady);
    // Before there is a process, a failure is one of the launch.
    answering.catch(reject);
  });
}

export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : signal;
}
