import { type System, startSystem } from '../harness/system.js';
import { onMongod, readOptions } from './benchmark.js';
import { checkReads } from './check-reads.js';
import { measureIdle } from './idle.js';
import { articleId, seedSystem } from './seed.js';
import { type LoadResult, runLoad } from './wrk.js';

const help = `Measures what a thousand requests cost each process, for the capacity model in deploy/README.md (needs wrk).

  npm run bench:cost -- [--articles 5000] [--seconds 10] [--idle-seconds 4] [--connections 128]`;

const values = readOptions(help, {
  articles: '5000',
  seconds: '10',
  'idle-seconds': '4',
  connections: '128',
});
const articles = Number(values.articles);
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const names = ['gateway', 'quota', 'content', 'identity', 'mongod'] as const;

interface Cost {
  readonly what: string;
  readonly result: LoadResult;
  /** The CPU seconds of each process per thousand requests, without its idle use. */
  readonly cpu: Readonly<Record<string, number>>;
  /** The resident memory of each process after the load, in megabytes. */
  readonly memory: Readonly<Record<string, number>>;
}

async function measure(): Promise<void> {
  const costs = [...(await measureWith('256', everything)), ...(await measureWith('1', readsAlone))];
  const cell = (value: number | undefined): string => (value ?? 0).toFixed(2);
  console.log(`\nCPU seconds a thousand requests, ${connections} connections, ${articles} articles of 4 kB.\n`);
  console.log(`| what | requests/s | p99 ms | ${names.join(' | ')} | all |\n|---|${'---|'.repeat(names.length + 3)}`);
  for (const { what, result, cpu } of costs) {
    const all = names.reduce((sum, name) => sum + (cpu[name] ?? 0), 0);
    const head = `| ${what} | ${Math.round(result.requestsPerSecond)} | ${result.p99.toFixed(0)}`;
    console.log(`${head} | ${names.map((name) => cell(cpu[name])).join(' | ')} | ${cell(all)} |`);
  }
  console.log(`\nResident megabytes after it.\n\n| what | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`);
  for (const { what, memory } of costs) {
    console.log(`| ${what} | ${names.map((name) => Math.round(memory[name] ?? 0)).join(' | ')} |`);
  }
}

type Targets = (system: System, pids: Record<string, number>) => Promise<Cost[]>;

function measureWith(holdMegabytes: string, targets: Targets): Promise<Cost[]> {
  return onMongod(async (mongod) => {
    const system = await startSystem({ mongodbUri: mongod.uri, env: { HOLD_MEGABYTES: holdMegabytes } });
    try {
      await seedSystem(system, articles);
      await checkReads(system.url, articleId(7));
      const ofServices = Object.entries(system.processes).map(([name, { pid }]) => [name, pid]);
      return await targets(system, { ...Object.fromEntries(ofServices), mongod: mongod.members[0]?.pid ?? 0 });
    } finally {
      await system.close();
    }
  });
}

const everything: Targets = async (system, pids) => {
  const index = `${system.url}/api/v1/content?site=org`;
  const etag = (await fetch(index, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag') ?? '';
  await read(system, pids, 'warm');
  return [
    await read(system, pids, 'article under quota, held by the gateway'),
    await get(index, pids, 'index page, 200'),
    await get(index, pids, 'index page, 304', etag),
  ];
};

const readsAlone: Targets = async (system, pids) => {
  await read(system, pids, 'warm');
  return [await read(system, pids, 'article under quota, not held')];
};

let runs = 0;

async function read(system: System, pids: Record<string, number>, what: string): Promise<Cost> {
  runs += 1;
  const env = { RUN: `cost-${process.pid}-${runs}`, ARTICLES: String(articles) };
  const result = await runLoad({ url: `${system.url}/`, script: 'read.lua', connections, seconds, env, pids });
  return told(what, result, pids);
}

async function get(url: string, pids: Record<string, number>, what: string, etag = ''): Promise<Cost> {
  return told(what, await runLoad({ url, script: 'get.lua', connections, seconds, env: { ETAG: etag }, pids }), pids);
}

async function told(what: string, result: LoadResult, pids: Record<string, number>): Promise<Cost> {
  if (result.bad > 0) throw new Error(`${result.bad} answers of ${what} were not as expected; the figures are void.`);
  console.error(`${what}: ${Math.round(result.requestsPerSecond)}/s`);
  const idle = await measureIdle(pids, Number(values['idle-seconds']));
  const net = (name: string, micros: number): number =>
    Math.max(0, micros - ((idle[name]?.percent ?? 0) * 1e4) / result.requestsPerSecond) / 1000;
  return {
    what,
    result,
    cpu: Object.fromEntries(Object.entries(result.cpuMicros).map(([name, micros]) => [name, net(name, micros)])),
    memory: Object.fromEntries(Object.entries(idle).map(([name, { megabytes }]) => [name, megabytes])),
  };
}

await measure();
