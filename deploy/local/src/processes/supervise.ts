import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that `npm start` runs. */
export interface Program {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** All its variables; it inherits none from the runner. */
  readonly env: NodeJS.ProcessEnv;
  /** Resolves when the process is ready. The signal is aborted when the process ends. */
  readonly untilReady: (ended: AbortSignal, pid: number) => Promise<void>;
  /** How long a stop waits after SIGTERM before SIGKILL. */
  readonly stopGraceMs: number;
}

interface SuperviseOptions {
  /** The process writes here directly, so a slow terminal or a killed runner cannot block it. */
  readonly logFile: string;
  readonly log: (line: string) => void;
  /** Called with the pid of each new process. */
  readonly onLaunch: (pid: number) => void;
}

export interface SupervisedProgram {
  readonly name: string;
  /** Resolves when the program is ready for the first time; rejects after three failed starts. */
  readonly ready: Promise<void>;
  /** Ends the process and does not restart it. `hurry` sends SIGKILL at once. */
  stop(hurry?: AbortSignal): Promise<void>;
}

const firstBackOffMs = 100;
const longestBackOffMs = 5_000;
const steadyAfterMs = 10_000;
const triesOfTheFirstStart = 3;

/** Runs a program and restarts it when it ends, with longer pauses while it keeps ending. */
export function supervise(program: Program, { logFile, log, onLaunch }: SuperviseOptions): SupervisedProgram {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let wasReady = false;
  let settle: (failure?: Error) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    settle = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  // Prevents an unhandled rejection while no caller awaits it yet.
  ready.catch(() => undefined);

  const onReady = (pid: number) => {
    if (wasReady) log(`is back (pid ${pid})`);
    wasReady = true;
    settle();
  };

  /** Runs the process until it ends. @returns its exit code or signal in words */
  const runOnce = async (): Promise<string> => {
    const ended = new AbortController();
    child = launch(program, logFile);
    const { pid } = child;
    if (pid !== undefined) {
      onLaunch(pid);
      program.untilReady(ended.signal, pid).then(
        () => onReady(pid),
        () => undefined,
      );
    }
    try {
      const [code, signal] = await once(child, 'exit');
      return signal ?? `exit code ${code}`;
    } catch (error) {
      return (error as Error).message;
    } finally {
      ended.abort();
    }
  };

  const loop = async () => {
    let shortLives = 0;
    while (!stopping.signal.aborted) {
      const began = Date.now();
      const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
      const how = await runOnce();
      if (stopping.signal.aborted) return;
      const fault = wasReady ? undefined : wrongConfiguration(logFile, size);
      if (fault !== undefined) return settle(new StartError(`${program.name} does not start. ${fault}`));
      shortLives = Date.now() - began > steadyAfterMs ? 1 : shortLives + 1;
      if (!wasReady && shortLives >= triesOfTheFirstStart) {
        return settle(new StartError(`${program.name} does not start: ${how}. Its log is ${logFile}.`));
      }
      const wait = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (shortLives - 1));
      log(`ended (${how}), is started again in ${wait / 1_000} s`);
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();

  const kill = (): unknown => child?.kill('SIGKILL');
  return {
    name: program.name,
    ready,
    stop: async (hurry) => {
      stopping.abort();
      settle(new StartError(`${program.name} is being stopped.`));
      child?.kill('SIGTERM');
      if (hurry?.aborted) kill();
      hurry?.addEventListener('abort', kill);
      const timer = setTimeout(kill, program.stopGraceMs);
      await looping;
      clearTimeout(timer);
    },
  };
}

/** What a process said about its configuration since the log had this size. Another start would say the same. */
function wrongConfiguration(logFile: string, size: number) {
  const said = readFileSync(logFile).subarray(size).toString();
  return /^The configuration is wrong:(?:\n {2}.*)+/m.exec(said)?.[0];
}

function launch({ command: [program, ...args], env }: Program, logFile: string) {
  const output = openSync(logFile, 'a');
  try {
    return spawn(program, args, { env, stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

/** An error that the operator can act on. The terminal shows its message without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Resolves when `holds` returns true; an error counts as false. @throws the reason of the signal when it is aborted */
export async function until(signal: AbortSignal, holds: () => Promise<boolean>, pauseMs = 50): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (await holds().catch(() => false)) return;
    await delay(pauseMs, undefined, { signal });
  }
}

const graceMs = 30_000;

/** Ends the processes of a group whose leader is gone. After 30 s, SIGKILL ends those that ignored SIGTERM. */
export async function endGroup(leader: number): Promise<void> {
  const giveUp = Date.now() + graceMs;
  signalGroup(leader, 'SIGTERM');
  while (signalGroup(leader, 0) && Date.now() < giveUp) await delay(20);
  signalGroup(leader, 'SIGKILL');
}

/** @returns false if no process of the group is left */
function signalGroup(leader: number, signal: NodeJS.Signals | 0) {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * When the process with this pid was started, in the notation of the operating system; undefined if none runs.
 * Systems reuse pids, so only both together name a process. A zombie does not count as running.
 */
export function startedAt(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  } catch {
    return undefined;
  }
}

function startedOnLinux(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets, which may contain spaces, so count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${boot}:${fields[19]}`;
}

function startedByPs(pid: number) {
  const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
  const line = execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}
