/** Where the runner speaks to the operator. */
export interface Terminal {
  /** One line about one process, or about the start as a whole. */
  say(name: string, line: string): void;
  /** A line of a process's log; shown if it is worth it. */
  logged(name: string, line: string): void;
  /** Text as it is. */
  block(text: string): void;
}

export interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Show every log line. */
  readonly all: boolean;
  /** Whether warnings are worth showing now: while processes come and go they are expected. */
  readonly settled: () => boolean;
}

const WIDTH = 'contributions'.length;

export function createTerminal({ write, all, settled }: TerminalOptions): Terminal {
  const say = (name: string, line: string): void => write(`${name.padEnd(WIDTH)}  ${line}\n`);
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

/** The JSON lines of the runtime's log. What is no JSON comes from Node itself and is shown: it tells of a crash. */
function readServiceLine(line: string): LogEntry | undefined {
  if (line.trim() === '') return undefined;
  const entry = parse(line);
  if (entry === undefined) return { weight: isNodeWarning(line) ? 'info' : 'error', text: line };
  const { time, level, name, message, err, ...rest } = entry;
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  const text = [String(level), message, ...facts, problem(err)].filter((part) => part !== undefined).join('  ');
  if (level === 'warn') return { weight: 'warning', text };
  return { weight: level === 'error' || level === 'fatal' ? 'error' : 'info', text };
}

/** Deprecations and the like, which concern developers. */
function isNodeWarning(line: string): boolean {
  return /^\(node:\d+\) |^\(Use `node --trace-/.test(line);
}

/** mongod's own JSON lines; its warnings are about how it was started, which is as we want it. */
function readMongodLine(line: string): LogEntry | undefined {
  const entry = parse(line);
  if (entry === undefined) return line.trim() === '' ? undefined : { weight: 'info', text: line };
  const { s, msg, attr } = entry;
  const text = `${msg}${attr === undefined ? '' : `  ${JSON.stringify(attr)}`}`;
  return { weight: s === 'F' ? 'error' : 'info', text };
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
