import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** The result of one command of the engine. */
export interface EngineRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Finds `docker` or `podman`. Returns the first one that responds. */
export function findEngine(): string | undefined {
  return ['docker', 'podman'].find((name) => engineSync(name, ['version']).status === 0);
}

/** Runs a command synchronously, because cleaning up happens while the process ends. */
export function engineSync(engine: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(engine, args, { encoding: 'utf8', timeout: 60_000 });
}

/** Runs a command of the engine that the global setup found. */
export async function tryEngine(...args: string[]): Promise<EngineRun> {
  const child = spawn(given('IMAGES_ENGINE'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** Runs a command that must succeed. Returns its output. */
export async function engine(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tryEngine(...args);
  if (code !== 0) throw new Error(`${given('IMAGES_ENGINE')} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

/** The name of the network of this run. */
export const network = (): string => given('IMAGES_RUN');

/** Makes the name of a container of this run. The global setup removes the container. */
export const containerName = (name: string): string => `${given('IMAGES_RUN')}-${name}`;

/** The label of everything that the global setup removes at the end. */
export const runLabel = (): string => `knowledge.test=${given('IMAGES_RUN')}`;

/** The name of the image that `npm run images` built for a package. */
export const imageOf = (name: string): string => `localhost/knowledge/${name}:${process.env['IMAGES_TAG'] ?? 'dev'}`;

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run this with npm run test:images.`);
  return value;
}
