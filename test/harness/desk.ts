import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCaptured } from '@knowledge/desk';
import { type System, serviceNames } from './system.js';
import { openTerminal, type Terminal } from './terminal.js';

/** The result of a command of the desk. */
interface DeskRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs commands of the desk against one system. */
export interface Desk {
  run(...args: string[]): Promise<DeskRun>;
  /** Runs a command with `--json` that must succeed, and returns its output. */
  json<T>(...args: string[]): Promise<T>;
  /** Runs a command with `--json` that may fail. Returns its exit code and parsed output. */
  refused(...args: string[]): Promise<{ code: number | null; error: string; message: string }>;
  /** Runs a command with `--json` and this standard input, and returns its output. */
  given<T>(input: string, ...args: string[]): Promise<T>;
  /** Starts a command that runs until it is stopped. */
  start(...args: string[]): ReturnType<typeof spawn>;
  /** Starts a command on a new terminal, with these environment variables. */
  terminal(env: Record<string, string>, ...args: string[]): Terminal;
  /** Runs a line of shell script, in which `$DESK` is the program. */
  shell(script: string): Promise<DeskRun>;
}

/**
 * Makes a desk without a terminal. Variables contain the addresses. A plain command runs in this process, because a
 * start takes longer than most commands; `start`, `terminal` and `shell` start the program.
 */
export function deskOf(system: Pick<System, 'addresses'>, env: Record<string, string> = {}): Desk {
  const addresses = serviceNames.map((name) => [`KNOWLEDGE_${name.toUpperCase()}_ADDRESS`, system.addresses[name]]);
  const variables = {
    PATH: process.env['PATH'] ?? '',
    KNOWLEDGE_ACTOR: 'desk:test',
    ...Object.fromEntries(addresses),
    ...env,
  };
  const start = (...args: string[]) =>
    spawn(process.execPath, [program, ...args], { env: variables, stdio: ['pipe', 'pipe', 'pipe'] });
  const runWith = async (input: string, args: readonly string[]): Promise<DeskRun> => {
    const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
    const interrupted = new AbortController().signal;
    setMaxListeners(0, interrupted);
    return runCaptured(args, { env: variables, cwd: process.cwd(), stdin, interrupted });
  };
  const run = (...args: string[]): Promise<DeskRun> => runWith('', args);
  return {
    run,
    start,
    terminal: (more, ...args) => openTerminal([process.execPath, program, ...args], { ...variables, ...more }),
    async shell(script) {
      const child = spawn('/bin/sh', ['-c', script], { env: { ...variables, DESK: `${process.execPath} ${program}` } });
      const [[code], stdout, stderr] = await Promise.all([
        once(child, 'close'),
        text(child.stdout),
        text(child.stderr),
      ]);
      return { code, stdout, stderr };
    },
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json');
      if (code !== 0) throw new Error(`knowledge ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async given(input, ...args) {
      const { code, stdout, stderr } = await runWith(input, [...args, '--json']);
      if (code !== 0) throw new Error(`knowledge ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async refused(...args) {
      const { code, stderr } = await run(...args, '--json');
      const { error, message } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}');
      return { code, error, message };
    },
  };
}

const program = fileURLToPath(
  new URL(
    `${import.meta.url.includes('/test/dist/') ? '../' : ''}../../services/desk/bin/knowledge.mjs`,
    import.meta.url,
  ),
);
