import { join } from 'node:path';
import type { ProcessId } from '../processes/process-id.js';
import { launchProgram } from './launch.js';
import { type LogTail, prepareLog, tailLog } from './log-tail.js';
import { openProcessRecords, watchdogName } from './process-records.js';
import type { Program } from './services.js';
import { type LaunchedProcess, StartFailedError, type SupervisedProcess, supervise } from './supervise.js';
import type { Terminal } from './terminal.js';

export interface FleetOptions {
  readonly dataDir: string;
  readonly terminal: Terminal;
  /** Called when a process has been started or restarted, so its pid is new. */
  readonly onChange: () => void;
}

/** All processes of a local start, with the watchdog. */
export interface Fleet {
  /** Starts a process with `launch`, restarts it when it ends, and shows its log. */
  keep(name: string, launch: () => Promise<LaunchedProcess>, stopGraceMs?: number): SupervisedProcess;
  keepProgram(program: Program, untilReady: (ended: AbortSignal) => Promise<void>): SupervisedProcess;
  /** @throws StartFailedError that lists the processes that are not ready in time */
  allAnswer(withinMs: number): Promise<void>;
  /** The current pids by name, without the watchdog. */
  pids(): Record<string, number>;
  /** Ends the gateway, then the services, mongod and the watchdog. `hurry` does not apply to mongod. */
  stop(hurry: AbortSignal): Promise<void>;
}

const serviceGraceMs = 25_000;

export function createFleet({ dataDir, terminal, onChange }: FleetOptions): Fleet {
  const records = openProcessRecords(dataDir);
  const running = new Map<string, SupervisedProcess>();
  const pids = new Map<string, number>();
  const tails: LogTail[] = [];
  const logFile = (name: string): string => join(dataDir, 'logs', `${name}.log`);

  const onLaunch = (name: string, processId: ProcessId): void => {
    records.set(name, processId);
    if (name === watchdogName) return;
    pids.set(name, processId.pid);
    onChange();
  };

  const keep: Fleet['keep'] = (name, launch, stopGraceMs = serviceGraceMs) => {
    if (name !== watchdogName) {
      prepareLog(logFile(name));
      tails.push(tailLog(logFile(name), (line) => terminal.logged(name, line)));
    }
    const log = (line: string): void => terminal.say(name, line);
    const supervised = supervise({
      name,
      launch,
      stopGraceMs,
      log,
      onLaunch: (processId) => onLaunch(name, processId),
    });
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
        // A log contains the reason of a failed start, so show it before the message about the failure.
        for (const tail of tails) tail.flush();
      }
    },
    pids: () => Object.fromEntries(pids),
    stop: async (hurry) => {
      await running.get('gateway')?.stop(hurry);
      const others = [...running.values()].filter(({ name }) => name !== 'mongod' && name !== watchdogName);
      await Promise.all(others.map((each) => each.stop(hurry)));
      await running.get('mongod')?.stop();
      await running.get(watchdogName)?.stop();
      for (const tail of tails.splice(0)) tail.stop();
      records.clear();
    },
  };
}

async function allAnswer(all: readonly SupervisedProcess[], withinMs: number): Promise<void> {
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
