import { join } from 'node:path';
import type { ProcessIdentity } from '../processes/identity.js';
import { launchProgram } from './launch.js';
import { type LogTail, prepareLog, tailLog } from './log-tail.js';
import { GUARD, openProcessRecords } from './process-records.js';
import type { Program } from './services.js';
import { type Launched, StartFailedError, type Supervised, supervise } from './supervise.js';
import type { Terminal } from './terminal.js';

export interface FleetOptions {
  readonly dataDir: string;
  readonly terminal: Terminal;
  /** Told whenever one of the processes got another pid. */
  readonly onChange: () => void;
}

/** All processes of one local start, the guard included. */
export interface Fleet {
  /** Keeps a process running that `launch` starts, and shows what it logs. */
  keep(name: string, launch: () => Promise<Launched>, stopGraceMs?: number): Supervised;
  keepProgram(program: Program, untilReady: (ended: AbortSignal) => Promise<void>): Supervised;
  /** @throws StartFailedError that names those that do not answer in time. */
  allAnswer(withinMs: number): Promise<void>;
  /** Of the processes that run now, by name; without the guard. */
  pids(): Record<string, number>;
  /** The gateway first, then the services, then mongod, then the guard. `hurry` does not concern mongod. */
  stop(hurry: AbortSignal): Promise<void>;
}

const SERVICE_GRACE_MS = 25_000;

export function createFleet({ dataDir, terminal, onChange }: FleetOptions): Fleet {
  const records = openProcessRecords(dataDir);
  const running = new Map<string, Supervised>();
  const pids = new Map<string, number>();
  const tails: LogTail[] = [];
  const logFile = (name: string): string => join(dataDir, 'logs', `${name}.log`);

  const onLaunch = (name: string, identity: ProcessIdentity): void => {
    records.set(name, identity);
    if (name === GUARD) return;
    pids.set(name, identity.pid);
    onChange();
  };

  const keep: Fleet['keep'] = (name, launch, stopGraceMs = SERVICE_GRACE_MS) => {
    if (name !== GUARD) {
      prepareLog(logFile(name));
      tails.push(tailLog(logFile(name), (line) => terminal.logged(name, line)));
    }
    const log = (line: string): void => terminal.say(name, line);
    const supervised = supervise({ name, launch, stopGraceMs, log, onLaunch: (identity) => onLaunch(name, identity) });
    running.set(name, supervised);
    return supervised;
  };

  return {
    keep,
    keepProgram: (program, untilReady) =>
      keep(program.name, () => launchProgram({ program, logFile: logFile(program.name), untilReady })),
    allAnswer: async (withinMs) => {
      try {
        await allAnswer([...running.values()], withinMs);
      } finally {
        // The reason of a failed start is in a log; it comes before the message about it.
        for (const tail of tails) tail.flush();
      }
    },
    pids: () => Object.fromEntries(pids),
    stop: async (hurry) => {
      await running.get('gateway')?.stop(hurry);
      const others = [...running.values()].filter(({ name }) => name !== 'mongod' && name !== GUARD);
      await Promise.all(others.map((each) => each.stop(hurry)));
      await running.get('mongod')?.stop();
      await running.get(GUARD)?.stop();
      for (const tail of tails.splice(0)) tail.stop();
      records.clear();
    },
  };
}

async function allAnswer(all: readonly Supervised[], withinMs: number): Promise<void> {
  const silent = new Set(all.map(({ name }) => name));
  const answers = all.map(async ({ name, answering }) => {
    await answering;
    silent.delete(name);
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StartFailedError(`No answer within ${withinMs / 1_000} s from ${[...silent].join(', ')}.`));
    }, withinMs);
  });
  await Promise.race([Promise.all(answers), late]).finally(() => clearTimeout(timer));
}
