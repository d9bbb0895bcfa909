import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { type Program, StartError, type SupervisedProgram, supervise } from '../processes/supervise.js';
import type { Terminal } from './terminal.js';

interface FleetOptions {
  readonly dataDir: string;
  readonly terminal: Terminal;
  /** Called when a process has been started or restarted, so its pid is new. */
  readonly onChange: () => void;
}

/** All programs of a local start. */
export interface Fleet {
  /** Starts a program, restarts it when it ends, and shows its log. */
  start(program: Program): void;
  /** Resolves when every program is ready. @throws StartError that lists those that are not ready in time */
  ready(withinMs: number, signal: AbortSignal): Promise<void>;
  /** The current pids by name. */
  pids(): Record<string, number>;
  /** Ends the gateway, then the others, then mongod. `hurry` does not apply to mongod. */
  stop(hurry: AbortSignal): Promise<void>;
}

export function createFleet({ dataDir, terminal, onChange }: FleetOptions): Fleet {
  const running = new Map<string, SupervisedProgram>();
  const pids = new Map<string, number>();
  const tails: LogTail[] = [];
  return {
    start: (program) => {
      const { name } = program;
      const logFile = join(dataDir, 'logs', `${name}.log`);
      prepareLog(logFile);
      tails.push(tailLog(logFile, (line) => terminal.logged(name, line)));
      const onLaunch = (pid: number): void => {
        pids.set(name, pid);
        onChange();
      };
      running.set(name, supervise(program, { logFile, onLaunch, log: (line) => terminal.say(name, line) }));
    },
    ready: async (withinMs, signal) => {
      try {
        await allReady([...running.values()], withinMs, signal);
      } finally {
        // A log contains the reason of a failed start, so show it before the message about the failure.
        for (const tail of tails) tail.flush();
      }
    },
    pids: () => Object.fromEntries(pids),
    stop: async (hurry) => {
      const { gateway, desk, mongod, ...others } = Object.fromEntries(running);
      await Promise.all([gateway?.stop(hurry), desk?.stop(hurry)]);
      await Promise.all(Object.values(others).map((each) => each.stop(hurry)));
      await mongod?.stop();
      for (const tail of tails) tail.stop();
    },
  };
}

async function allReady(all: readonly SupervisedProgram[], withinMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const silent = new Set(all.map(({ name }) => name));
  const answers = all.map(({ name, ready }) => ready.then(() => silent.delete(name)));
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const late = (): void =>
      reject(new StartError(`No answer within ${withinMs / 1_000} s from ${[...silent].join(', ')}.`));
    timer = setTimeout(late, withinMs);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  await Promise.race([Promise.all(answers), tooLate]).finally(() => clearTimeout(timer));
}

interface LogTail {
  /** Reads new lines now instead of at the next interval. */
  flush(): void;
  stop(): void;
}

const intervalMs = 200;
const largestLogBytes = 20_000_000;

/** Calls `onLine` for every line that is appended to an existing file from now on. */
function tailLog(path: string, onLine: (line: string) => void): LogTail {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.alloc(64 * 1024);
  let position = fstatSync(file).size;
  let rest = '';
  const flush = (): void => {
    for (;;) {
      const bytes = readSync(file, chunk, 0, chunk.length, position);
      if (bytes === 0) return;
      position += bytes;
      const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };
  const timer = setInterval(flush, intervalMs);
  return {
    flush,
    stop: () => {
      clearInterval(timer);
      flush();
      closeSync(file);
    },
  };
}

/** Renames a large log to `.1` and starts a new one. */
function prepareLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestLogBytes) renameSync(path, `${path}.1`);
  closeSync(openSync(path, 'a'));
}
