import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCollection } from './measure-collection.js';
import { type Figures, type Floor, figuresOf, missedFloors, ndcg, type Outcome, select, succeeds } from './measures.js';
import { type Kind, kinds, readQueries, readSampleDocuments, readYaml } from './queries.js';
import { onSampleSystem } from './sample-system.js';
import { namesOf, search } from './search-api.js';

const help = `Starts the system with the sample content, sends every query of test/search/queries.yaml and prints how good the hits are.

  npm run bench:search -- [--dev] [--floor] [--misses] [--url URL] [--out FILE]
  npm run bench:search -- --collection FOLDER

--dev     ask only the queries of the set dev, with which search is tuned
--floor   end with 1 if a figure misses its bound in test/search/floors.yaml
--misses  list the queries of the set dev without success (those of held are never listed)
--url     ask a running system that has the sample content, in place of starting one
--out     write every figure to a JSON file
--collection  import the texts of this folder into an empty system, and measure beside other searches`;

const { values } = parseArgs({
  options: {
    dev: { type: 'boolean', default: false },
    collection: { type: 'string' },
    floor: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    url: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const documents = readSampleDocuments();

async function measure(): Promise<void> {
  const { collection, url } = values;
  if (collection !== undefined) await measureCollection(collection);
  else report(url === undefined ? await onSampleSystem((system) => askAll(system.url)) : await askAll(url));
}

/** Prints the figures, and compares them with the bounds. */
function report(outcomes: readonly Outcome[]): void {
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
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(rows, null, 2));
  if (!values.floor) return;
  const floors = (readYaml('floors.yaml') as Floor[]).filter(({ set }) => !values.dev || set === 'dev');
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

function tableRow({ kind, dev, held }: { kind: Kind | 'all'; dev: Figures; held: Figures }): string {
  const measures = ['ndcg', 'success', 'noHits', 'helpfulWeak', 'allWeak', 'weak', 'confident'] as const;
  const pairs = measures.map((measure) => `${shown(dev[measure])}, ${shown(held[measure])}`);
  return `| ${kind} | ${dev.queries} + ${held.queries} | ${pairs.join(' | ')} |`;
}

function shown(figure: number | undefined): string {
  return figure === undefined ? '–' : figure.toFixed(3);
}

function isMissed(outcome: Outcome): boolean {
  return outcome.query.set === 'dev' && !outcome.query.kind.endsWith('negative') && !succeeds(outcome);
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
