import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  ContributionFilter,
  ListContributionRecordsRequest,
  ModerationServiceService,
  RecordOrder,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { connectGrpc, type GrpcClient } from '@knowledge/runtime/grpc';
import { type Collection, MongoClient } from 'mongodb';
import { freePort } from '../harness/free-port.js';
import { startProcess } from '../harness/managed-process.js';
import { onMongod, quantile, readOptions, timed } from './benchmark.js';
import { contributionsOf, type SeededContribution } from './varied-contributions.js';
import { rareWord } from './varied-texts.js';

const help = `Measures the moderators' queue over many contributions: every filter and order, words, counts, one call after the other.

  npm run bench:queue -- [--contributions 100000] [--rounds 20] [--uri URI --database NAME]

--rounds  how often each list is asked for
--uri     a running MongoDB in place of a new one with a cache of 1 GB; its database is kept, and used again if it is full`;

const values = readOptions(
  help,
  {
    contributions: '100000',
    rounds: '20',
    database: `queue_size_${process.pid}`,
  },
  ['uri'],
);

const count = Number(values.contributions);
/** More than a slow machine needs for each. */
const assessedWithinMs = 100;
const rounds = Number(values.rounds);

async function measure(uri: string): Promise<void> {
  const mongo = await MongoClient.connect(uri);
  const db = mongo.db(values.database);
  const address = `127.0.0.1:${await freePort()}`;
  const service = await startProcess({
    name: 'contributions',
    command: [
      process.execPath,
      fileURLToPath(new URL('../../../services/contributions/bundle/main.js', import.meta.url)),
    ],
    // The services behind it are not there; lists need none.
    env: {
      ...{ MONGODB_URI: uri, MONGODB_DATABASE: values.database, GRPC_ADDRESS: address, LOG_LEVEL: 'error' },
      ...{ QUOTA_ADDRESS: '127.0.0.1:1', CONTENT_ADDRESS: '127.0.0.1:1', IDENTITY_ADDRESS: '127.0.0.1:1' },
      ...{ SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_IO_URL: 'http://127.0.0.1:1', PUBLIC_ORG_URL: 'http://127.0.0.1:1' },
    },
    ready: () => Promise.resolve(),
  });
  const moderation = connectGrpc(ModerationServiceService, { address, deadlineMs: 60_000 });
  try {
    await firstAnswer(moderation);
    const contributions = db.collection<SeededContribution>('contributions');
    await fill(contributions);
    await measureLists(moderation, contributions);
    const [stats] = await contributions
      .aggregate<{ storageStats: { size: number; indexSizes: Record<string, number> } }>([
        { $collStats: { storageStats: {} } },
      ])
      .toArray();
    const sizes = Object.entries(stats?.storageStats.indexSizes ?? {}).map(
      ([name, bytes]) => `${name} ${megabytes(bytes)}`,
    );
    console.log(`documents ${megabytes(stats?.storageStats.size ?? 0)} MB; indexes in MB: ${sizes.join(', ')}`);
  } finally {
    moderation.close();
    await service.close();
    if (values.uri === undefined) await db.dropDatabase();
    await mongo.close();
  }
}

async function firstAnswer(moderation: GrpcClient<typeof ModerationServiceService>): Promise<void> {
  const request = ListContributionRecordsRequest.fromPartial({ pageSize: 1 });
  while (true) {
    if (await moderation.listContributionRecords(request, asModerator()).catch(() => undefined)) return;
    await pause(100);
  }
}

/** Stores contributions, and waits until the worker has assessed all. */
async function fill(contributions: Collection<SeededContribution>): Promise<void> {
  const has = await contributions.estimatedDocumentCount();
  if (has < count) {
    const make = contributionsOf();
    for (let from = has; from < count; from += 1_000) {
      const documents = Array.from({ length: Math.min(1_000, count - from) }, (_, at) => make(from + at));
      await contributions.insertMany(documents, { ordered: false });
    }
  }
  const begun = performance.now();
  const before = await contributions.countDocuments({ terms: { $exists: false } });
  for (let left = before; left > 0; ) {
    if (performance.now() - begun > count * assessedWithinMs + 60_000) throw new Error(`${left} are not assessed`);
    await pause(3_000);
    left = await contributions.countDocuments({ terms: { $exists: false } });
  }
  const seconds = (performance.now() - begun) / 1000;
  if (before > 0) console.log(`assessed ${before} contributions in ${seconds.toFixed(0)} s`);
}

type Case = readonly [name: string, filter: Partial<ContributionFilter>];

async function measureLists(
  moderation: GrpcClient<typeof ModerationServiceService>,
  contributions: Collection<SeededContribution>,
): Promise<void> {
  const one = await contributions.findOne({ email: { $ne: '' } });
  const day = 86_400_000;
  const newest = await contributions.find().sort({ submittedAt: -1 }).limit(1).next();
  const end = newest?.submittedAt.getTime() ?? 0;
  const { PENDING_REVIEW, APPROVED, REJECTED } = ContributionState;
  const { STORY, PROMPT_REPLY, INQUIRY } = ContributionType;
  const cases: readonly Case[] = [
    ['everything', {}],
    ['one state', { states: [PENDING_REVIEW] }],
    ['three states', { states: [PENDING_REVIEW, APPROVED, REJECTED] }],
    ['state and type', { states: [PENDING_REVIEW], types: [INQUIRY] }],
    ['two types and a site', { types: [STORY, PROMPT_REPLY], site: Site.ORG }],
    ['nothing fits: stories on io', { types: [STORY], site: Site.IO }],
    ['frequent language', { language: 'en' }],
    ['rare language', { language: 'pl', states: [PENDING_REVIEW] }],
    ['an agent', { agentName: one?.agentName ?? '' }],
    ['an agent, rejected', { agentName: one?.agentName ?? '', states: [REJECTED] }],
    ['an e-mail', { email: one?.email ?? '' }],
    ['a day', { sentSince: new Date(end - 10 * day), sentBefore: new Date(end - 9 * day) }],
    ['older than 20 days, pending', { sentBefore: new Date(end - 20 * day), states: [PENDING_REVIEW] }],
    ['rare word', { query: rareWord(0.9) }],
    ['common word', { query: 'the' }],
    ['two common words', { query: 'team data' }],
    ['three common words', { query: 'team data access' }],
    ['rare and common word', { query: `${rareWord(0.6)} the` }],
    ['words of two languages', { query: 'the und' }],
    ['no such word', { query: 'nonexistentword the' }],
    ['words, state and language', { query: 'security access', states: [PENDING_REVIEW], language: 'en' }],
    ['words in a day', { query: 'the team', sentSince: new Date(end - 10 * day), sentBefore: new Date(end - 9 * day) }],
  ];
  let slowest = 0;
  console.log(`${count} contributions; a page of 50, p50 and p95 in ms by order, then the count`);
  for (const [name, part] of cases) {
    const filter = { ...ContributionFilter.fromPartial({}), ...part };
    const cells: string[] = [];
    for (const order of [RecordOrder.OLDEST, RecordOrder.NEWEST, RecordOrder.RISK]) {
      const request = { ...ListContributionRecordsRequest.fromPartial({}), filter, order, pageSize: 50 };
      const times = await timesOf(() => moderation.listContributionRecords(request, asModerator()));
      cells.push(shown(times));
      slowest = Math.max(slowest, quantile(times, 0.95));
    }
    const times = await timesOf(() => moderation.countContributionRecords({ filter }, asModerator()));
    slowest = Math.max(slowest, quantile(times, 0.95));
    console.log(`${name.padEnd(30)} ${[...cells, shown(times)].map((each) => each.padStart(11)).join(' ')}`);
  }
  const deep = await timeDeepPages(moderation);
  console.log(`pages 1 to 40 of 50, by risk     ${shown(deep)}`);
  const { id } = (one && { id: one._id }) ?? { id: '' };
  const get = await timesOf(() => moderation.getContributionRecord({ id }, asModerator()));
  console.log(`one contribution, with similar texts and earlier work ${shown(get)}`);
  console.log(`slowest p95 of a list or count: ${slowest.toFixed(0)} ms (target 100)`);
}

async function timeDeepPages(moderation: GrpcClient<typeof ModerationServiceService>): Promise<number[]> {
  const times: number[] = [];
  const filter = ContributionFilter.fromPartial({ states: [ContributionState.PENDING_REVIEW] });
  let pageToken = '';
  for (let page = 0; page < 40; page++) {
    const begun = performance.now();
    const request = { ...ListContributionRecordsRequest.fromPartial({}), filter, order: RecordOrder.RISK, pageToken };
    pageToken = (await moderation.listContributionRecords(request, asModerator())).nextPageToken;
    times.push(performance.now() - begun);
    if (pageToken === '') break;
  }
  return times;
}

async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  await call();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(call));
  return times;
}

const shown = (times: readonly number[]): string =>
  `${quantile(times, 0.5).toFixed(0)}/${quantile(times, 0.95).toFixed(0)}`;
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
const asModerator = () => ({ requestId: randomUUID(), actor: 'bench' });

if (values.uri !== undefined) await measure(values.uri);
else await onMongod(({ uri }) => measure(uri), { cacheGigabytes: 1 });
