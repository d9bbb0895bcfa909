import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { megabytes, watchGrowth } from './growth.js';

export interface PipDownloadOptions {
  readonly requirement: string;
  /** The wheel is put here; pip keeps its parts below it too. */
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** Gives it up at once. */
  readonly signal?: AbortSignal | undefined;
}

const WAYS_TO_PIP = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;
const STALLED_AFTER_MS = 120_000;

/**
 * Downloads one package, nothing that it depends on, and builds nothing.
 * @throws Error with what each way to pip answered
 */
export async function pipDownload(options: PipDownloadOptions): Promise<void> {
  const problems: string[] = [];
  for (const [program, ...args] of WAYS_TO_PIP) {
    const problem = await runPip(program, args, options);
    if (problem === undefined) return;
    options.signal?.throwIfAborted();
    const said = `${[program, ...args].join(' ')}: ${problem}`;
    problems.push(said);
  }
  throw new Error(problems.join('; '));
}

/** @returns what went wrong, or undefined when it went well */
async function runPip(
  program: string,
  args: readonly string[],
  { requirement, dir, env, log, signal }: PipDownloadOptions,
): Promise<string | undefined> {
  const temporary = join(dir, 'pip');
  await mkdir(temporary, { recursive: true });
  const download = ['download', '--no-deps', '--only-binary', ':all:', '--no-input', '--progress-bar', 'off'];
  const child = spawn(program, [...args, ...download, '--dest', dir, requirement], {
    env: { ...env, TMPDIR: temporary, PIP_DISABLE_PIP_VERSION_CHECK: '1', PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  return new Promise((resolve) => {
    const endWatch = watchGrowth({
      dir,
      stalledAfterMs: STALLED_AFTER_MS,
      onGrowth: (bytes) => log(`fetching MongoDB: ${megabytes(bytes)} so far`),
      onStall: () => child.kill('SIGKILL'),
    });
    const done = (problem: string | undefined): void => {
      endWatch();
      resolve(problem);
    };
    child.once('error', (error) => done(isMissing(error) ? 'not installed' : error.message));
    child.once('close', (code, signal) => {
      if (code === 0) done(undefined);
      else done(lastError(complaint) ?? `ended with ${signal ?? `code ${code}`}`);
    });
  });
}

function lastError(complaint: string): string | undefined {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => line.startsWith('ERROR')) ?? lines.at(-1)?.trim();
}

function isMissing(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT';
}
