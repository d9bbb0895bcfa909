import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import type { Desk } from './desk.js';
import { type AgentWorld, type Persistence, persist, prepareQueue, Refusal } from './sample-queue.js';

interface SampleOptions extends Persistence {
  readonly dataDir: string;
  /** The directory that contains `io/`, `org/`, `synonyms.yaml`, `glosses.yaml` and `reasons.yaml`. */
  readonly sampleDir: string;
  readonly desk: Desk;
  /** Absent where no local mailbox takes the mails to the humans of the sample: then the queue stays empty. */
  readonly agents?: AgentWorld;
}

const siteNames = ['io', 'org'] as const;
type Site = (typeof siteNames)[number];

/**
 * Imports the sample content into an empty database with the desk. Every step is safe to repeat, so it is repeated while
 * a service does not answer, and the next start completes an interrupted import.
 *
 * @throws StartError if it stays incomplete.
 */
export async function importSample(options: SampleOptions): Promise<void> {
  const note = join(options.dataDir, 'sample.json');
  const state = (readJsonFile(note) as { state?: string } | undefined)?.state;
  if (state === 'done') return;
  if (state === undefined && !(await persist('the first look', options, () => isEmpty(options.desk)))) {
    writeJsonFile(note, { state: 'done' });
    return;
  }
  writeJsonFile(note, { state: 'importing' });
  options.log('importing sample content (first start only)');
  const [handIn] = await Promise.all([
    agentsOf(options),
    ...siteNames.map((site) => persist(site, options, () => importSite(site, options))),
    persist('search', options, () => importSynonyms(options)),
    persist('reasons', options, () => importReasons(options)),
  ]);
  // A gloss needs its text, and some contributions answer the prompt.
  await Promise.all([persist('glosses', options, () => importGlosses(options)), handIn()]);
  writeJsonFile(note, { state: 'done' });
}

async function isEmpty(desk: Desk): Promise<boolean> {
  const lists = await Promise.all(siteNames.map((site) => desk(['article', 'list', '--json', '--site', site])));
  return lists.every((list) => Array.isArray(list) && list.length === 0);
}

async function importSite(site: Site, { sampleDir, desk, log }: SampleOptions): Promise<void> {
  const dir = join(sampleDir, site);
  const [articles, objects] = await Promise.all([
    desk(['article', 'import', join(dir, 'articles'), '--publish', '--site', site, '--json']).then(readResult),
    desk(['object', 'import', join(dir, 'objects'), '--site', site, '--json']).then(readResult),
  ]);
  await setHighlights(site, dir, desk);
  if (site === 'org') await createPrompt(site, dir, desk);
  log(`${site}: ${articles} articles, ${objects} objects`);
}

async function importSynonyms({ sampleDir, desk, log }: SampleOptions): Promise<void> {
  const groups = await desk(['synonym', 'import', join(sampleDir, 'synonyms.yaml'), '--json']).then(readResult);
  log(`search: ${groups} groups of synonyms`);
}

async function importReasons({ sampleDir, desk }: SampleOptions): Promise<void> {
  await desk(['reason', 'import', join(sampleDir, 'reasons.yaml'), '--json']);
}

async function importGlosses({ sampleDir, desk }: SampleOptions): Promise<void> {
  await desk(['gloss', 'import', join(sampleDir, 'glosses.yaml'), '--json']).then(readResult);
}

/** Gives the agents of the sample access, and returns what fills the queue with their contributions. */
async function agentsOf({ sampleDir, desk, log, signal, agents }: SampleOptions): Promise<() => Promise<void>> {
  if (agents === undefined) return async () => undefined;
  const handIn = await prepareQueue(sampleDir, desk, { ...agents, log, signal });
  return async () => log(`queue: ${await handIn()} contributions`);
}

async function setHighlights(site: Site, dir: string, desk: Desk): Promise<void> {
  const highlights = readYaml(join(dir, 'highlights.yaml')) as { slug: string; note: string }[];
  const slugs = highlights.map(({ slug }) => slug);
  const notes = highlights.flatMap(({ slug, note }) => ['--note', `${slug}=${note}`]);
  await desk(['highlight', 'set', '--site', site, ...slugs, ...notes, '--yes']);
}

async function createPrompt(site: Site, dir: string, desk: Desk): Promise<void> {
  const existing = await desk(['prompt', 'list', '--json', '--site', site]);
  if (Array.isArray(existing) && existing.length > 0) return;
  const { question } = readYaml(join(dir, 'prompt.yaml')) as { question: string };
  await desk(['prompt', 'create', '--site', site, '--question', question, '--activate', '--yes']);
}

/** What an import printed: of files, or of the entries of one file. */
interface ImportResult {
  readonly imported: number;
  readonly unchanged: number;
  readonly failed: number | readonly { readonly file: string; readonly problem: string }[];
  readonly entries?: readonly { readonly name: string; readonly problem?: string }[];
}

/** The number of what is stored now. @throws Error with the first problem; Refusal if it would come again */
function readResult(result: unknown): number {
  const { imported, unchanged, failed, entries = [] } = result as ImportResult;
  const files = typeof failed === 'number' ? entries : failed.map(({ file: name, problem }) => ({ name, problem }));
  const problems = files.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
  const [first] = problems;
  if (first === undefined) return imported + unchanged;
  throw problems.some((each) => each.includes('unavailable')) ? new Error(first) : new Refusal(first);
}

function readYaml(path: string): unknown {
  return load(readFileSync(path, 'utf8'));
}
