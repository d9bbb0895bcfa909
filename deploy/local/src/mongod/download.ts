import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface DownloadOptions {
  /** The folder that grows during the download. */
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly stalledAfterMs: number;
  readonly signal: AbortSignal | undefined;
}

const logIntervalMs = 2_000;

/**
 * Runs a program that downloads, and logs its progress. Kills it when the download stalls.
 * @returns its standard output @throws Error with its last error line
 */
export async function runDownload(command: readonly string[], options: DownloadOptions): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  let stalled = false;
  const endWatch = watchGrowth(options, () => {
    stalled = true;
    child.kill('SIGKILL');
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', (error) =>
      reject('code' in error && error.code === 'ENOENT' ? new Error('not installed') : error),
    );
    child.once('close', (code, signal) => resolve(String(signal ?? `code ${code}`)));
  });
  try {
    const [how, output, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (how === 'code 0') return output;
    if (stalled) throw new Error(`given up after ${options.stalledAfterMs / 1_000} s without an answer`);
    throw new Error(lastError(complaint) ?? `ended with ${how}`);
  } finally {
    endWatch();
  }
}

function watchGrowth({ dir, log, stalledAfterMs }: DownloadOptions, onStall: () => void): () => void {
  let bytes = sizeBelow(dir);
  let grewAt = Date.now();
  let loggedAt = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const size = sizeBelow(dir);
    if (size !== bytes) grewAt = now;
    bytes = size;
    if (grewAt > loggedAt && now - loggedAt >= logIntervalMs) {
      loggedAt = now;
      log(`fetching MongoDB: ${Math.round(bytes / 1_000_000)} MB so far`);
    }
    if (now - grewAt >= stalledAfterMs) onStall();
  }, 200);
  return () => clearInterval(timer);
}

function sizeBelow(dir: string): number {
  try {
    const files = readdirSync(dir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    const sizes = files.map(
      ({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size,
    );
    return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  } catch {
    // The folder was removed while it was read; the next check counts again.
    return 0;
  }
}

function lastError(complaint: string): string | undefined {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => line.startsWith('ERROR')) ?? lines.at(-1)?.trim();
}
