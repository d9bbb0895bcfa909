import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';

export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  /** The output that the process has written. */
  output(): string;
  /** Sends a signal. Waits until the process ends, except for SIGSTOP and SIGCONT. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** The exit code after the end; null if a signal ended the process. */
  exited(): Promise<number | null>;
  /** Starts the process again. `env` replaces variables. */
  restart(env?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
  /** Ends the process and returns its whole output. */
  outputAtEnd(): Promise<string>;
}

export interface ProcessOptions {
  name: string;
  command: readonly [string, ...string[]];
  env: Record<string, string>;
  /** Resolves when the process is ready. */
  ready: () => Promise<void>;
}

/** Starts a process and waits until it is ready. If the process ends before that, throws an error with its output. */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const chunks: string[] = [];
  const log: WriteStream | undefined = process.env['TEST_LOG_DIR']
    ? createWriteStream(`${process.env['TEST_LOG_DIR']}/${options.name}-${Date.now()}.log`)
    : undefined;
  let env = options.env;
  let child: ChildProcess;
  let drained: Promise<unknown>;

  const launch = async (): Promise<void> => {
    const [program, ...args] = options.command;
    child = spawn(program, args, {
      env: { PATH: process.env['PATH'] ?? '', MALLOC_ARENA_MAX: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        chunks.push(text);
        log?.write(text);
      });
    }
    drained = once(child, 'close');
    const started = child;
    const ended = once(started, 'exit').then(([code]) => {
      throw new Error(`${options.name} ended with ${code}:\n${chunks.join('').slice(-4_000)}`);
    });
    ended.catch(() => undefined);
    const ready = options.ready().catch((error: unknown) => {
      throw new Error(`${options.name} does not serve:\n${chunks.join('').slice(-4_000)}`, { cause: error });
    });
    await Promise.race([ready, ended]);
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await exited;
  };

  try {
    await launch();
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  const close = async (): Promise<void> => {
    child.kill('SIGCONT');
    await end('SIGTERM');
    log?.end();
  };
  return {
    name: options.name,
    get pid() {
      return child.pid ?? 0;
    },
    output: () => chunks.join(''),
    kill: (signal = 'SIGKILL') => end(signal),
    async exited() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
    async restart(changed = {}) {
      await end('SIGTERM');
      env = { ...env, ...changed };
      await launch();
    },
    close,
    async outputAtEnd() {
      await close();
      await drained;
      return chunks.join('');
    },
  };
}
