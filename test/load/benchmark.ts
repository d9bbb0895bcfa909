import { parseArgs } from 'node:util';
import { findMongodBinary } from '@knowledge/local/mongod';
import { type RunningReplicaSet, startReplicaSet } from '../harness/replica-set.js';

/** Reads the options of a program, all with a value. With `--help` it prints the help and ends. */
export function readOptions<Name extends string, Other extends string = never>(
  help: string,
  defaults: Readonly<Record<Name, string>>,
  withoutDefault: readonly Other[] = [],
): Readonly<Record<Name, string> & Partial<Record<Other, string>>> {
  const options = [...Object.keys(defaults), ...withoutDefault].map((name) => [name, { type: 'string' }] as const);
  const { values } = parseArgs({ options: { ...Object.fromEntries(options), help: { type: 'boolean' } } });
  if (values.help === true) {
    console.log(help);
    process.exit();
  }
  return { ...defaults, ...values } as Record<Name, string> & Partial<Record<Other, string>>;
}

/** Starts one mongod, uses it, and ends it. */
export async function onMongod<T>(
  use: (mongod: RunningReplicaSet) => Promise<T>,
  options: { readonly cacheGigabytes?: number } = {},
): Promise<T> {
  const binary = await findMongodBinary({ env: process.env, log: (line) => console.error(line) });
  const mongod = await startReplicaSet(1, { binary, ...options });
  try {
    return await use(mongod);
  } finally {
    await mongod.stop();
  }
}

/** Measures the milliseconds of some work. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
