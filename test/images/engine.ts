import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What a run of the engine's command line gave. */
export interface EngineRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The first engine that answers: `docker` or `podman`. */
export function findEngine(): string | undefined {
  return ['docker', 'podman'].find((name) => engineSync(name, ['version']).status === 0);
}

/** For what must be done while a process ends. */
export function engineSync(engine: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(engine, args, { encoding: 'utf8', timeout: 60_000 });
}

/** Runs the engine that the global setup found, and waits for its end. */
export async function tryEngine(...args: string[]): Promise<EngineRun> {
  const child = spawn(given('IMAGES_ENGINE'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** As `tryEngine`, for what must succeed; gives what it printed. */
export async function engine(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tryEngine(...args);
  if (code !== 0) throw new Error(`${given('IMAGES_ENGINE')} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

/** The network of this run. */
export const network = (): string => given('IMAGES_RUN');

/** A name for a container of this run, which the global setup removes. */
export const named = (name: string): string => `${given('IMAGES_RUN')}-${name}`;

/** Marks what the global setup removes. */
export const runLabel = (): string => `knowledge.test=${given('IMAGES_RUN')}`;

/** The image of a deployable, as `npm run images` names it. */
export const imageOf = (name: string): string => `localhost/knowledge/${name}:${process.env['IMAGES_TAG'] ?? 'dev'}`;

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run this with npm run test:images.`);
  return value;
}
