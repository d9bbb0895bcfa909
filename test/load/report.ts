import type { Idle } from './idle.js';
import type { TargetName } from './targets.js';
import type { LoadResult } from './wrk.js';

/** All figures of one benchmark. */
export interface Figures {
  readonly idle: Readonly<Record<string, Idle>>;
  readonly cold: LoadResult;
  /** The medians, by `name|connections`. */
  readonly median: ReadonlyMap<string, LoadResult>;
  readonly rolls: ReadonlyMap<string, LoadResult>;
}

/** Prints the figures as tables. */
export function report({ idle, cold, median, rolls }: Figures, connections: readonly number[]): void {
  console.log(
    '| what | connections | requests/s | p50 ms | p99 ms | CPU µs a request | all |\n|---|---|---|---|---|---|---|',
  );
  console.log(row('read, cold', 32, cold));
  for (const [key, result] of median) {
    const [name = '', count = ''] = key.split('|');
    console.log(row(name, count, result));
  }
  console.log(`\n| connections | ${ratios.map(([name]) => name).join(' | ')} |\n|---|${'---|'.repeat(ratios.length)}`);
  for (const count of connections) {
    const rate = (name: TargetName): number => median.get(`${name}|${count}`)?.requestsPerSecond ?? Number.NaN;
    const cells = ratios.map(([, one, other]) => (rate(one) / rate(other)).toFixed(2));
    console.log(`| ${count} | ${cells.join(' | ')} |`);
  }
  for (const count of connections) console.log(compressed(median, count));
  const plain = median.get('plain|32')?.requestsPerSecond ?? Number.NaN;
  console.log(`\ncold gateway: ${(cold.requestsPerSecond / plain).toFixed(2)} × plain at 32 connections`);
  console.log(`\n| idle | MB | MB, shared pages once | % of a core |\n|---|---|---|---|`);
  const sum = (of: (each: Idle) => number): number => Object.values(idle).reduce((total, each) => total + of(each), 0);
  const all: Idle = {
    megabytes: sum(({ megabytes }) => megabytes),
    ownMegabytes: sum(({ ownMegabytes }) => ownMegabytes),
    percent: sum(({ percent }) => percent),
  };
  for (const [name, { megabytes, ownMegabytes, percent }] of [...Object.entries(idle), ['all', all] as const]) {
    console.log(`| ${name} | ${Math.round(megabytes)} | ${Math.round(ownMegabytes)} | ${percent.toFixed(1)} |`);
  }
  if (rolls.size > 0) console.log('\n| half load | requests/s | p50 ms | p99 ms | failed |\n|---|---|---|---|---|');
  for (const [name, { requestsPerSecond, p50, p99, bad }] of rolls) {
    console.log(`| ${name} | ${Math.round(requestsPerSecond)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${bad} |`);
  }
}

/** What the compressed index costs beside the plain one. */
function compressed(median: Figures['median'], connections: number): string {
  const [plain, br] = ['index 200', 'index br'].map((name) => median.get(`${name}|${connections}`));
  const share = ((br?.bytes ?? Number.NaN) / (plain?.bytes ?? Number.NaN)) * 100;
  const cost = (br?.cpuMicros['gateway'] ?? Number.NaN) / (plain?.cpuMicros['gateway'] ?? Number.NaN);
  return `index br at ${connections}: ${share.toFixed(1)} % of the bytes, ${cost.toFixed(2)} × the CPU`;
}

/** What is divided by what. */
const ratios: readonly (readonly [string, TargetName, TargetName])[] = [
  ['read / plain', 'read', 'plain'],
  ['read / grouped', 'read', 'grouped'],
  ['read / best', 'read', 'best'],
  ['with ceiling / plain', 'read, ceiling', 'plain'],
  ['with ceiling / grouped', 'read, ceiling', 'grouped'],
  ['with ceiling / best', 'read, ceiling', 'best'],
  ['200 / bare', 'index 200', 'bare'],
  ['304 / bare', 'index 304', 'bare'],
];

function row(name: string, connections: number | string, result: LoadResult): string {
  const { requestsPerSecond, p50, p99, cpuMicros } = result;
  const all = Object.values(cpuMicros).reduce((sum, micros) => sum + micros, 0);
  const cells = [name, connections, Math.round(requestsPerSecond), p50.toFixed(2), p99.toFixed(2), cpu(result)];
  return `| ${cells.join(' | ')} | ${Math.round(all)} |`;
}

/** The speed and cost of one run, for the progress of the benchmark. */
export function line(result: LoadResult): string {
  const { requestsPerSecond, p50, p99 } = result;
  return `${Math.round(requestsPerSecond)}/s  p50 ${p50.toFixed(2)}  p99 ${p99.toFixed(2)}  ${cpu(result)}`;
}

function cpu({ cpuMicros }: LoadResult): string {
  return Object.entries(cpuMicros)
    .map(([name, micros]) => `${name} ${Math.round(micros)}`)
    .join(' ');
}
