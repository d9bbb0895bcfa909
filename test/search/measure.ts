import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SearchRequest } from '@knowledge/proto/knowledge/content/v1/search';
import { MongoClient } from 'mongodb';
import { asTester, type System } from '../harness/system.js';
import { until } from '../harness/until.js';
import { startModelEndpoint } from './embeddings/model-endpoint.js';
import { type Figures, type Floor, figuresOf, missedFloors, ndcg, type Outcome, select, succeeds } from './measures.js';
import { type Kind, kinds, readQueries, readSampleDocuments, readYaml } from './queries.js';
import { onSampleSystem } from './sample-system.js';
import { namesOf, search } from './search-api.js';

const help = `Starts the system with the sample content, sends every query of test/search/queries.yaml and prints how good the hits are.

  npm run bench:search -- [--dev] [--embeddings] [--floor] [--misses] [--url URL] [--out FILE]

--dev     ask only the queries of the set dev, with which search is tuned
--embeddings  measure by words alone, and then with a real embedding model (it needs Python 3 with pip)
--floor   end with 1 if a figure misses its bound in test/search/floors.yaml
--misses  list the queries of the set dev without success (those of held are never listed)
--url     ask a running system that has the sample content, in place of starting one
--out     write every figure to a JSON file`;

const { values } = parseArgs({
  options: {
    dev: { type: 'boolean', default: false },
    embeddings: { type: 'boolean', default: false },
    floor: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    url: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const documents = readSampleDocuments();

async function measure(): Promise<void> {
  if (values.url !== undefined) return report('words', await askAll(values.url));
  if (!values.embeddings) return report('words', await onSampleSystem({}, ({ url }) => askAll(url)));
  const endpoint = await startModelEndpoint();
  try {
    console.log('By words alone:\n');
    report('words', await onSampleSystem({}, ({ url }) => askAll(url)));
    console.log('\nBy words and meaning:\n');
    const env = { EMBEDDINGS_URL: endpoint.url, EMBEDDINGS_MODEL: endpoint.model, EMBEDDINGS_QUERY_MS: '1000' };
    report('vectors', await onSampleSystem(env, askWithVectors));
  } finally {
    await endpoint.close();
  }
}

/** Prints the figures, and compares them with the bounds for this way to search. */
function report(by: Floor['by'], outcomes: readonly Outcome[]): void {
  const rows = [...kinds, 'all' as const].map((kind) => ({
    kind,
    dev: figuresOf(select(outcomes, kind, 'dev')),
    held: figuresOf(select(outcomes, kind, 'held')),
  }));
  console.log(
    '| kind | queries | nDCG@10 dev, held | success@3 dev, held | no hits dev, held | helpful but weak dev, held | all weak dev, held | marked weak dev, held | confident dev, held |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const row of rows) console.log(tableRow(row));
  if (values.misses) for (const outcome of outcomes.filter(isMissed)) console.log(missLine(outcome));
  if (values.out !== undefined)
    writeFileSync(by === 'words' ? values.out : `${values.out}.vectors`, JSON.stringify(rows, null, 2));
  if (!values.floor) return;
  const floors = (readYaml('floors.yaml') as Floor[]).filter(
    (floor) => (floor.by ?? 'words') === by && (!values.dev || floor.set === 'dev'),
  );
  const missed = missedFloors(outcomes, floors);
  for (const line of missed) console.error(line);
  if (missed.length > 0) process.exitCode = 1;
}

async function askAll(base: string): Promise<Outcome[]> {
  const names = namesOf(documents);
  const outcomes: Outcome[] = [];
  const queries = readQueries().filter(({ set }) => !values.dev || set === 'dev');
  for (const query of queries) outcomes.push({ query, hits: await search(base, query, names) });
  return outcomes;
}

async function askWithVectors(system: System): Promise<Outcome[]> {
  const mongo = await new MongoClient(system.mongodbUri).connect();
  try {
    const stored = mongo.db(system.databases.content).collection('text_vectors');
    const isWhole = async (): Promise<boolean> => (await stored.countDocuments()) === documents.length;
    await until('every sample text to have vectors', isWhole, 60_000);
    const query = SearchRequest.fromPartial({ query: 'shift handover' });
    const isCurrent = async (): Promise<boolean> =>
      !(await system.clients.search.search(query, asTester())).provisional;
    await until('the vectors to be in memory', isCurrent, 60_000);
  } finally {
    await mongo.close();
  }
  return askAll(system.url);
}

function tableRow({ kind, dev, held }: { kind: Kind | 'all'; dev: Figures; held: Figures }): string {
  const measures = ['ndcg', 'success', 'noHits', 'helpfulWeak', 'allWeak', 'weak', 'confident'] as const;
  const pairs = measures.map((measure) => `${shown(dev[measure])}, ${shown(held[measure])}`);
  return `| ${kind} | ${dev.queries} + ${held.queries} | ${pairs.join(' | ')} |`;
}

function shown(figure: number | undefined): string {
  return figure === undefined ? '–' : figure.toFixed(3);
}

function isMissed(outcome: Outcome): boolean {
  return outcome.query.set === 'dev' && outcome.query.kind !== 'negative' && !succeeds(outcome);
}

function missLine(outcome: Outcome): string {
  const first = outcome.hits.slice(0, 3).map(({ document }) => document);
  const { id, query } = outcome.query;
  return `${id}  ${ndcg(outcome).toFixed(2)}  ${query}  ->  ${first.join(', ') || 'nothing'}`;
}

if (values.help) {
  console.log(help);
} else {
  await measure();
}
