import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findMongodBinary } from '@knowledge/local/mongod';
import { MongoClient } from 'mongodb';
import { freePort } from '../harness/free-port.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import { startReplicaSet } from '../harness/replica-set.js';
import { type System, startSystem } from '../harness/system.js';
import { checkReads } from './check-reads.js';
import { measureDeepPage } from './deep-page.js';
import { articleId, seedReference, seedSystem } from './seed.js';
import { measureWithdrawal } from './withdrawal.js';
import { type LoadResult, runLoad } from './wrk.js';

const help = `Measures the read path side by side with its references, interleaved in one run against one mongod (needs wrk).

  npm run bench -- [--articles 10000] [--seconds 8] [--rounds 3] [--connections 4,32,128]
                   [--withdrawals 100] [--deep-articles 100000] [--deep-page 1000] [--out FILE]

(a) article read under quota through the gateway and the services     (b) the same in one plain Fastify + MongoDB process
(c) an index page, 200 and 304                                        (d) a bare Fastify route with a payload as large as (c)
Then: how long a withdrawn article is still shown by two gateways, and page 1 against a deep page of a large index.`;

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '4,32,128' },
    withdrawals: { type: 'string', default: '100' },
    'deep-articles': { type: 'string', default: '100000' },
    'deep-page': { type: 'string', default: '1000' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
/** One measurement. */
interface Target {
  name: string;
  run: (connections: number, seconds: number) => Promise<LoadResult>;
}

async function bench(): Promise<void> {
  const articles = Number(values.articles);
  const connections = values.connections.split(',').map(Number);
  const binary = await findMongodBinary({ env: process.env, log: (line) => console.error(line) });
  const mongod = await startReplicaSet(1, { binary });
  const closing: (() => Promise<unknown>)[] = [() => mongod.stop()];
  try {
    const system = await startSystem({ mongodbUri: mongod.uri, gateways: 2 });
    closing.push(() => system.close());
    console.error(`Seeding ${articles} articles of 4 kB …`);
    await seedSystem(system, articles);
    const client = await new MongoClient(mongod.uri).connect();
    closing.push(() => client.close());
    await seedReference(client.db('reference'), articles);
    const mongodPid = mongod.members[0]?.pid ?? 0;

    const reference = await startPlain('reference', [mongod.uri, 'reference']);
    closing.push(() => reference.process.close());
    const page = await (await fetch(`${system.url}/api/v1/content?site=org`)).arrayBuffer();
    const bare = await startPlain('bare', [String(page.byteLength)]);
    closing.push(() => bare.process.close());

    await checkReads(system.url, articleId(7));
    await checkReads(reference.url, articleId(7));
    console.error('Both answer correctly. Measuring …');

    const cold = await coldStart(system, articles, mongodPid);
    const targets = targetsOf(system, reference, bare, articles, mongodPid);
    for (const target of targets) await target.run(32, 5);
    const results = await interleave(targets, connections, Number(values.rounds), Number(values.seconds));
    report({ cold, results, page: page.byteLength });
    const shown = await measureWithdrawal(system, Number(values.withdrawals));
    const ms = (value: number): string => `${value.toFixed(1)} ms`;
    console.log(`withdrawn, still shown for: p50 ${ms(shown.p50)}, p99 ${ms(shown.p99)}, max ${ms(shown.max)}`);
    const content = client.db(system.databases.content);
    const deep = await measureDeepPage(
      system,
      content,
      Number(values['deep-articles']),
      Number(values['deep-page']),
      200,
    );
    const ratio = (deep.deep / deep.first).toFixed(2);
    console.log(
      `page 1 of ${deep.articles} articles ${ms(deep.first)}, page ${values['deep-page']} ${ms(deep.deep)}: ${ratio} times`,
    );
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Plain {
  process: ManagedProcess;
  url: string;
}

async function startPlain(name: string, args: string[]): Promise<Plain> {
  const port = await freePort();
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const ready = async (): Promise<void> => {
    for (;;) {
      if (await fetch(`${url}/none`).catch(() => undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const command = [process.execPath, file, ...args, String(port)] as [string, ...string[]];
  return { process: await startProcess({ name, command, env: {}, ready }), url };
}

let runs = 0;

function targetsOf(system: System, reference: Plain, bare: Plain, articles: number, mongod: number): Target[] {
  const { gateway, quota, content, identity } = system.processes;
  const pids = {
    gateway: gateway?.pid ?? 0,
    quota: quota?.pid ?? 0,
    content: content?.pid ?? 0,
    identity: identity?.pid ?? 0,
    mongod,
  };
  const read =
    (url: string, of: Record<string, number>): Target['run'] =>
    (connections, seconds) => {
      runs += 1;
      const env = { RUN: `bench-${process.pid}-${runs}`, ARTICLES: String(articles) };
      return runLoad({ url: `${url}/`, script: 'read.lua', connections, seconds, env, pids: of });
    };
  const get =
    (url: string, of: Record<string, number>, etag = ''): Target['run'] =>
    (connections, seconds) =>
      runLoad({ url, script: 'get.lua', connections, seconds, env: { ETAG: etag }, pids: of });
  const index = `${system.url}/api/v1/content?site=org`;
  return [
    { name: 'a read', run: read(system.url, pids) },
    { name: 'b reference', run: read(reference.url, { reference: reference.process.pid, mongod }) },
    { name: 'c index 200', run: get(index, { gateway: pids.gateway }) },
    {
      name: 'c index 304',
      run: async (...args) => get(index, { gateway: pids.gateway }, await etagOf(index))(...args),
    },
    { name: 'd bare', run: get(`${bare.url}/bare`, { bare: bare.process.pid }) },
  ];
}

async function etagOf(url: string): Promise<string> {
  return (await fetch(url)).headers.get('etag') ?? '';
}

// Measures a restarted gateway in its first seconds, while its cache is empty.
async function coldStart(system: System, articles: number, mongod: number): Promise<LoadResult> {
  await system.processes['gateway']?.restart();
  const pids = {
    gateway: system.processes['gateway']?.pid ?? 0,
    content: system.processes['content']?.pid ?? 0,
    mongod,
  };
  const env = { RUN: `cold-${process.pid}`, ARTICLES: String(articles) };
  return runLoad({ url: `${system.url}/`, script: 'read.lua', connections: 32, seconds: 3, env, pids });
}

type Results = Map<string, LoadResult[]>;

async function interleave(targets: Target[], connections: number[], rounds: number, seconds: number): Promise<Results> {
  const results: Results = new Map();
  for (let round = 1; round <= rounds; round += 1) {
    for (const count of connections) {
      for (const target of targets) {
        const result = await target.run(count, seconds);
        const key = `${target.name}|${count}`;
        results.set(key, [...(results.get(key) ?? []), result]);
        console.error(
          `round ${round}  ${target.name.padEnd(12)} ${String(count).padStart(4)} connections  ${line(result)}`,
        );
        if (result.bad > 0)
          throw new Error(`${result.bad} answers of ${target.name} were not 200; the figures are void.`);
      }
    }
  }
  return results;
}

function report({ cold, results, page }: { cold: LoadResult; results: Results; page: number }): void {
  const median = new Map([...results].map(([key, runs]) => [key, middle(runs)]));
  console.log(`\nIndex page of ${page} bytes. Medians of ${values.rounds} rounds of ${values.seconds} s.\n`);
  console.log('| what | connections | requests/s | p50 ms | p99 ms | CPU µs a request |\n|---|---|---|---|---|---|');
  console.log(
    `| a cold | 32 | ${Math.round(cold.requestsPerSecond)} | ${cold.p50.toFixed(2)} | ${cold.p99.toFixed(2)} | ${cpu(cold)} |`,
  );
  for (const [key, result] of median) {
    const [name, count] = key.split('|');
    const { requestsPerSecond, p50, p99 } = result;
    console.log(
      `| ${name} | ${count} | ${Math.round(requestsPerSecond)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${cpu(result)} |`,
    );
  }
  console.log('');
  for (const count of values.connections.split(',')) {
    const rate = (name: string): number => median.get(`${name}|${count}`)?.requestsPerSecond ?? Number.NaN;
    const ratios = {
      'a/b': rate('a read') / rate('b reference'),
      '200/d': rate('c index 200') / rate('d bare'),
      '304/d': rate('c index 304') / rate('d bare'),
    };
    const shown = Object.entries(ratios).map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`);
    console.log(`${count} connections: ${shown.join(', ')}`);
  }
  if (values.out !== undefined)
    writeFileSync(values.out, JSON.stringify({ cold, median: Object.fromEntries(median) }, null, 2));
}

function middle(runs: LoadResult[]): LoadResult {
  const sorted = [...runs].sort((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}

function line(result: LoadResult): string {
  const { requestsPerSecond, p50, p99 } = result;
  return `${Math.round(requestsPerSecond)}/s  p50 ${p50.toFixed(2)}  p99 ${p99.toFixed(2)}  ${cpu(result)}`;
}

function cpu({ cpuMicros }: LoadResult): string {
  return Object.entries(cpuMicros)
    .map(([name, micros]) => `${name} ${Math.round(micros)}`)
    .join(' ');
}

if (values.help) {
  console.log(help);
} else {
  await bench();
}
