import { fork } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir } from './cache-dir.js';
import { megabytes, watchGrowth } from './growth.js';
import { isExecutable } from './on-path.js';

export interface DownloadOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** Given up when nothing has arrived for so long. */
  readonly stalledAfterMs: number;
  /** Gives it up at once. */
  readonly signal?: AbortSignal | undefined;
}

/** Binaries that an earlier download left, newest version first; looked up without the network. */
export function cachedDownloads(env: NodeJS.ProcessEnv): string[] {
  const dir = downloadDir(env);
  try {
    const files = new Set(readdirSync(dir));
    return [...files]
      .filter((file) => file.startsWith('mongod-') && files.has(`${file}.md5`))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .map((file) => join(dir, file))
      .filter(isExecutable);
  } catch {
    return [];
  }
}

/**
 * Lets mongodb-memory-server fetch MongoDB from its makers. It runs as a process of its own,
 * because it has no way of being given up.
 * @throws Error that says why there is no binary
 */
export async function downloadMongod(options: DownloadOptions): Promise<string> {
  const dir = downloadDir(options.env);
  mkdirSync(dir, { recursive: true });
  options.log('fetching MongoDB from its makers (about 80 MB, once)');
  const child = fork(fileURLToPath(new URL('../../dist/mongod/download-process.js', import.meta.url)), [dir], {
    env: {
      ...options.env,
      MONGOMS_MAX_RETRIES: options.env.MONGOMS_MAX_RETRIES ?? '1',
      // Without this the library does not check the server's certificate.
      npm_config_strict_ssl: 'true',
    },
    stdio: 'ignore',
    ...(options.signal === undefined ? {} : { signal: options.signal, killSignal: 'SIGKILL' }),
  });
  return new Promise((resolve, reject) => {
    const seconds = options.stalledAfterMs / 1_000;
    const endWatch = watchGrowth({
      dir,
      stalledAfterMs: options.stalledAfterMs,
      onGrowth: (bytes) => options.log(`fetching MongoDB: ${megabytes(bytes)} so far`),
      onStall: () => {
        child.kill('SIGKILL');
        reject(new Error(`given up after ${seconds} s without an answer`));
      },
    });
    child.once('message', (message: DownloadMessage) => {
      if ('path' in message) resolve(message.path);
      else reject(new Error(message.problem));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      endWatch();
      reject(new Error(`the download ended with ${signal ?? `code ${code}`}`));
    });
  });
}

/** What the download process sends back, once. */
export type DownloadMessage = { readonly path: string } | { readonly problem: string };

function downloadDir(env: NodeJS.ProcessEnv): string {
  return env.MONGOMS_DOWNLOAD_DIR || join(cacheDir(env), 'mongodb-binaries');
}
