import { writeFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import type { RunningReplicaSet } from '../harness/replica-set.js';
import { type System, serviceNames, startSystem } from '../harness/system.js';
import { onMongod, readOptions } from './benchmark.js';
import { checkReads } from './check-reads.js';
import { measureDeepPage } from './deep-page.js';
import { measureIdle } from './idle.js';
import { line, report } from './report.js';
import { measureRolls } from './roll.js';
import { articleId, seedReference, seedSystem } from './seed.js';
import { pidsOf, readFrom, startReference, type Target, targetNames, targetsOf } from './targets.js';
import { measureWithdrawal } from './withdrawal.js';
import type { LoadResult } from './wrk.js';

const help = `Measures the read path side by side with its references, interleaved in one run against one mongod (needs wrk).

  npm run bench -- [--articles 10000] [--seconds 8] [--rounds 3] [--connections 4,32,128] [--targets all]
                   [--settle-seconds 30] [--idle-seconds 20] [--roll-seconds 6] [--withdrawals 100]
                   [--deep-articles 100000] [--deep-page 1000] [--out FILE]

read           article read under quota through the gateway and the services
read, ceiling  the same with QUOTA_ANONYMOUS_PER_ADDRESS=300, for readers of many addresses
plain          the same in one Fastify process with findOne and $inc
grouped        the same in one process with group commits (updates, then a find) and cached bytes
best           the same with guarded updates of known readers, which are not read back
index 200/304  an index page, and the same page that has not changed
index br       the same page, compressed
bare           a Fastify route without anything behind it, with a payload as large as the index page

Also: what the five processes use while they are idle, --settle-seconds after their start; a gateway in its first 3 s;
reads at half load beside plain and grouped at the same rate, also while each service is replaced (--roll-seconds 0: not); how long a withdrawn article is still shown by two gateways
(--withdrawals 0: not measured); page 1 against a deep page of a large index (--deep-articles 0: not measured).`;

const values = readOptions(
  help,
  {
    articles: '10000',
    seconds: '8',
    rounds: '3',
    connections: '4,32,128',
    targets: targetNames.join(';'),
    'settle-seconds': '30',
    'idle-seconds': '20',
    'roll-seconds': '6',
    withdrawals: '100',
    'deep-articles': '100000',
    'deep-page': '1000',
  },
  ['out'],
);
const articles = Number(values.articles);
const seconds = Number(values.seconds);
const connections = values.connections.split(',').map(Number);

async function bench(mongod: RunningReplicaSet): Promise<void> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const envOf = { 'quota-2': { QUOTA_ANONYMOUS_PER_ADDRESS: '300' }, 'gateway-2': { TRUSTED_PROXIES: '127.0.0.1' } };
    const system = await startSystem({ mongodbUri: mongod.uri, gateways: 2, quotas: 2, envOf });
    closing.push(() => system.close());
    const five = ['gateway', ...serviceNames].map((name) => [name, system.processes[name]?.pid ?? 0]);
    const idleSeconds = Number(values['idle-seconds']);
    const idle = await measureIdle(Object.fromEntries(five), idleSeconds, Number(values['settle-seconds']));
    console.error(`Seeding ${articles} articles of 4 kB …`);
    await seedSystem(system, articles);
    const client = await new MongoClient(mongod.uri).connect();
    closing.push(() => client.close());
    await seedReference(client.db('reference'), articles);
    const mongodPid = mongod.members[0]?.pid ?? 0;

    const page = await (await fetch(`${system.url}/api/v1/content?site=org`)).arrayBuffer();
    const references = {
      plain: await startReference('plain', [mongod.uri, 'reference']),
      grouped: await startReference('best', [mongod.uri, 'reference', 'grouped']),
      best: await startReference('best', [mongod.uri, 'reference', 'best']),
      bare: await startReference('bare', [String(page.byteLength)]),
    };
    closing.push(...Object.values(references).map((each) => () => each.process.close()));
    for (const url of [...system.gateways, references.plain.url, references.grouped.url, references.best.url]) {
      await checkReads(url, articleId(7));
    }
    console.error('All of them answer correctly. Measuring …');

    const cold = await coldStart(system, mongodPid);
    const wanted = values.targets.split(';');
    const targets = targetsOf({ system, references, articles, mongodPid }).filter(({ name }) => wanted.includes(name));
    for (const target of targets) await target.run(32, Math.min(5, seconds));
    const median = await interleave(targets);
    const rollSeconds = Number(values['roll-seconds']);
    const full = median.get('read|32');
    const rolls =
      rollSeconds > 0 && full !== undefined
        ? await measureRolls({
            system,
            references: { plain: references.plain, grouped: references.grouped },
            articles,
            mongodPid,
            full,
            connections: 32,
            seconds: rollSeconds,
          })
        : new Map<string, LoadResult>();
    const withdrawals = Number(values.withdrawals);
    const shown = withdrawals > 0 ? await measureWithdrawal(system, withdrawals) : undefined;
    const deepArticles = Number(values['deep-articles']);
    const content = client.db(system.databases.content);
    const deep =
      deepArticles > 0
        ? await measureDeepPage(system, content, deepArticles, Number(values['deep-page']), 200)
        : undefined;

    console.log(`\nIndex page of ${page.byteLength} bytes. Medians of ${values.rounds} rounds of ${seconds} s.\n`);
    report({ idle, cold, median, rolls }, connections);
    const ms = (value: number): string => `${value.toFixed(1)} ms`;
    if (shown !== undefined) {
      console.log(`\nwithdrawn, still shown for: p50 ${ms(shown.p50)}, p99 ${ms(shown.p99)}, max ${ms(shown.max)}`);
    }
    if (deep !== undefined) {
      const ratio = (deep.deep / deep.first).toFixed(2);
      const [first, last] = [ms(deep.first), ms(deep.deep)];
      console.log(`page 1 of ${deep.articles} articles ${first}, page ${values['deep-page']} ${last}: ${ratio} times`);
    }
    if (values.out !== undefined) {
      const figures = { idle, cold, median: Object.fromEntries(median), rolls: Object.fromEntries(rolls), shown, deep };
      writeFileSync(values.out, JSON.stringify(figures, null, 2));
    }
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

// Measures a restarted gateway in its first seconds, while its cache is empty.
async function coldStart(system: System, mongodPid: number): Promise<LoadResult> {
  await system.processes['gateway']?.restart();
  return readFrom(system.url, pidsOf(system, mongodPid), { articles })(32, 3);
}

async function interleave(targets: readonly Target[]): Promise<Map<string, LoadResult>> {
  const results = new Map<string, LoadResult[]>();
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const count of connections) {
      for (const { name, run } of targets) {
        const result = await run(count, seconds);
        const key = `${name}|${count}`;
        results.set(key, [...(results.get(key) ?? []), result]);
        const what = `round ${round}  ${name.padEnd(13)} ${String(count).padStart(4)} connections`;
        console.error(`${what}  ${line(result)}`);
        if (result.bad > 0) throw new Error(`${result.bad} answers of ${name} were not 200; the figures are void.`);
      }
    }
  }
  return new Map([...results].map(([key, runs]) => [key, middle(runs)]));
}

function middle(runs: readonly LoadResult[]): LoadResult {
  const sorted = [...runs].sort((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}

await onMongod(bench);
