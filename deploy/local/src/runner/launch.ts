import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type RunningMongod, type StartMongodOptions, startMongod } from '../mongod/start.js';
import { processIdOf } from '../processes/process-id.js';
import type { Program } from './services.js';
import type { LaunchedProcess } from './supervise.js';

export interface LaunchOptions {
  readonly program: Program;
  readonly logFile: string;
  /** Resolves when the process is ready. The signal is aborted when the process ends. */
  readonly untilReady: (ended: AbortSignal) => Promise<void>;
}

/**
 * Starts a Node program in its own process group, so that Ctrl-C goes to the runner first.
 * The program writes to its log file directly, so a slow terminal or a killed runner cannot block it.
 */
export async function launchProgram({ program, logFile, untilReady }: LaunchOptions): Promise<LaunchedProcess> {
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
  // If the process ends before it is ready, callers learn it from `exited`.
  answering.catch(() => undefined);
  return { processId: processIdOf(pid) ?? { pid, started: 'ended at once' }, exited, answering };
}

/** Starts mongod, and calls `onReady` once it accepts writes. */
export async function launchMongod(
  options: StartMongodOptions,
  onReady: (mongod: RunningMongod) => void,
): Promise<LaunchedProcess> {
  return new Promise((resolve, reject) => {
    const answering = startMongod({
      ...options,
      onSpawn: ({ processId, exited }) => {
        const ended = exited.then(({ code, signal, complaint }) => {
          const how = describeEnd(code, signal);
          return complaint === undefined ? how : `${how}: ${complaint}`;
        });
        resolve({ processId, exited: ended, answering });
      },
    }).then(onReady);
    // A failure before the process exists fails the launch itself.
    answering.catch(reject);
  });
}

export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : signal;
}
