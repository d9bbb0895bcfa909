import { relative } from 'node:path';

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
  const say = (name: string, line: string): void => write(`${name.padEnd(nameWidth)}  ${line}\n`);
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

function shown(value: unknown): string {
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
