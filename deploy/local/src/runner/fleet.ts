import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { type Program, StartError, type SupervisedProgram, supervise } from '../processes/supervise.js';

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
      const onLaunch = (pid: number) => {
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

async function allReady(all: readonly SupervisedProgram[], withinMs: number, signal: AbortSignal) {
  signal.throwIfAborted();
  const silent = new Set(all.map(({ name }) => name));
  const answers = all.map(({ name, ready }) => ready.then(() => silent.delete(name)));
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const late = () => reject(new StartError(`No answer within ${withinMs / 1_000} s from ${[...silent].join(', ')}.`));
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
  const flush = () => {
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
function prepareLog(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestLogBytes) renameSync(path, `${path}.1`);
  closeSync(openSync(path, 'a'));
}

/** Prints to the operator's terminal. */
export interface Terminal {
  /** Prints a line about one process, or about the start as a whole. */
  say(name: string, line: string): void;
  /** Prints a log line of a process if it is important enough. */
  logged(name: string, line: string): void;
  /** Prints text unchanged. */
  block(text: string): void;
}

interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Whether to print every log line. */
  readonly all: boolean;
  /** Whether to print warnings now. During start and stop they are expected. */
  readonly settled: () => boolean;
}

const nameWidth = 'contributions'.length;

export function createTerminal({ write, all, settled }: TerminalOptions): Terminal {
  const say = (name: string, line: string) => write(`${name.padEnd(nameWidth)}  ${line}\n`);
  return {
    say,
    block: (text) => write(text),
    logged: (name, line) => {
      const entry = name === 'mongod' ? readMongodLine(line) : readServiceLine(line);
      if (entry === undefined) return;
      const shown = all || entry.weight === 'error' || (entry.weight === 'warning' && settled());
      if (shown) say(name, entry.text);
    },
  };
}

interface LogEntry {
  readonly weight: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Deprecation and similar warnings, which only developers need. */
const nodeWarning = /^\(node:\d+\) |^\(Use `node --trace-/;

/** Parses a line of a service's log. Lines that are no JSON come from Node itself, usually at a crash. */
function readServiceLine(line: string): LogEntry | undefined {
  if (line.trim() === '') return undefined;
  const entry = parse(line);
  if (entry === undefined) return { weight: nodeWarning.test(line) ? 'info' : 'error', text: line };
  const { time, level, name, message, err, ...rest } = entry;
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  const text = [String(level), message, ...facts, problem(err)].filter((part) => part !== undefined).join('  ');
  if (level === 'warn') return { weight: 'warning', text };
  return { weight: level === 'error' || level === 'fatal' ? 'error' : 'info', text };
}

/** Parses a line of mongod's log. Its warnings are about how we start it, so only what ends it counts as an error. */
function readMongodLine(line: string): LogEntry | undefined {
  const entry = parse(line);
  if (entry === undefined) return line.trim() === '' ? undefined : { weight: 'info', text: line };
  const { s, msg, attr } = entry;
  const text = `${msg}${attr === undefined ? '' : `  ${JSON.stringify(attr)}`}`;
  const ends = s === 'F' || (s === 'E' && /initAndListen|listener/.test(String(msg)));
  return { weight: ends ? 'error' : 'info', text };
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function problem(err: unknown): string | undefined {
  if (typeof err !== 'object' || err === null) return undefined;
  const { message, cause } = err as { message?: unknown; cause?: unknown };
  const because = problem(cause);
  return because === undefined ? String(message) : `${String(message)} (${because})`;
}

function shown(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface BannerFacts {
  readonly gateway: string;
  readonly mailbox: string | null;
  readonly desk_sign_in: string;
  readonly dataDir: string;
  readonly root: string;
  readonly seconds: number;
}

/** The text that the operator sees once everything is ready. */
export function banner({ gateway, mailbox, desk_sign_in: signIn, dataDir, root, seconds }: BannerFacts): string {
  const fromHere = relative(process.cwd(), dataDir);
  const shown = fromHere.startsWith('..') ? dataDir : fromHere || '.';
  const option = relative(root, dataDir) === '.data' ? '' : `--data-dir ${shown} `;
  const rows = {
    Site: `${gateway}/`,
    'Agents start at': `${gateway}/api/agent`,
    'API to browse': `${gateway}/docs`,
    Mailbox: mailbox ?? 'none, mail goes to the SMTP_URL that is set',
    Desk: `${signIn} (works once, for ten minutes)`,
    'Another link': `npx --no-install knowledge ${option}desk sign-in`,
    'Command line': `npx --no-install knowledge ${option}status`,
    'Data and logs': `${shown}, ${shown}/logs (LOG=all npm start shows all of them here)`,
  };
  const lines = Object.entries(rows).map(([label, value]) => `    ${label.padEnd(17)}${value}`);
  return `\n  The Community Knowledge Service is ready (${seconds.toFixed(1)} s).\n\n${lines.join('\n')}\n\n  Ctrl-C stops it.\n\n`;
}
