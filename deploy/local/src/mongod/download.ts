import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface DownloadOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line of progress. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

const program = fileURLToPath(new URL('../../bundle/mongod/download-process.js', import.meta.url));

/**
 * Downloads MongoDB from its makers with mongodb-memory-server. @returns the path of the program
 * @throws Error with the reason, also when nothing arrives for `stalledAfterMs`
 */
export async function downloadMongod(dir: string, stalledAfterMs: number, options: DownloadOptions): Promise<string> {
  mkdirSync(dir, { recursive: true });
  options.log('fetching MongoDB from its makers (about 80 MB, once)');
  // Without `strict_ssl`, the library does not check the certificate of the server.
  const env = { MONGOMS_MAX_RETRIES: '1', ...options.env, npm_config_strict_ssl: 'true' };
  const stalled = new AbortController();
  const watch = watchGrowth(dir, stalledAfterMs, () =>
    stalled.abort(new Error(`given up after ${stalledAfterMs / 1_000} s without an answer`)),
  );
  const signal = AbortSignal.any([stalled.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  try {
    return await runFetch([process.execPath, program, dir], { ...options, env, signal });
  } finally {
    clearInterval(watch);
  }
}

/** Runs a program that fetches, and logs its output. @returns its last line @throws Error with its last error line */
export async function runFetch(command: readonly string[], { env, log, signal }: DownloadOptions): Promise<string> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): unknown => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  let last = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line.trim() || last;
    if (line.trim() !== '') log(line.trim());
  });
  try {
    const [[code, killed], complaint] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(lastError(complaint) ?? `ended with ${killed ?? `code ${code}`}`);
    return last;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error('not installed') : error;
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** Calls `onStall` when the files of a folder do not grow any more. */
function watchGrowth(dir: string, stalledAfterMs: number, onStall: () => void): NodeJS.Timeout {
  let bytes = -1;
  let grewAt = Date.now();
  return setInterval(() => {
    const sizes = readdirSync(dir).map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0);
    const sum = sizes.reduce((total, size) => total + size, 0);
    if (sum !== bytes) grewAt = Date.now();
    bytes = sum;
    if (Date.now() - grewAt >= stalledAfterMs) onStall();
  }, 100);
}

function lastError(complaint: string): string | undefined {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => line.startsWith('ERROR')) ?? lines.at(-1)?.trim();
}
