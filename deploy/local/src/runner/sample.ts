import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import type { Desk } from './desk.js';
import { type AgentWorld, fillQueue } from './sample-queue.js';

export interface SampleOptions {
  readonly dataDir: string;
  /** The directory that contains `io/`, `org/`, `synonyms.yaml`, `glosses.yaml` and `reasons.yaml`. */
  readonly sampleDir: string;
  readonly desk: Desk;
  readonly log: (line: string) => void;
  /** Absent where no local mailbox takes the mails to the humans of the sample: then the queue stays empty. */
  readonly agents?: AgentWorld;
}

const siteNames = ['io', 'org'] as const;
type Site = (typeof siteNames)[number];

/**
 * Imports the sample content into an empty database with the desk.
 * The next start completes an interrupted import, since every step is safe to repeat.
 */
export async function importSample(options: SampleOptions): Promise<void> {
  const note = join(options.dataDir, 'sample.json');
  const state = (readJsonFile(note) as { state?: string } | undefined)?.state;
  if (state === 'done') return;
  if (state === undefined && !(await isEmpty(options.desk))) {
    writeJsonFile(note, { state: 'done' });
    return;
  }
  writeJsonFile(note, { state: 'importing' });
  options.log('importing sample content (first start only)');
  await Promise.all([
    ...siteNames.map((site) => importSite(site, options)),
    importSynonyms(options),
    importReasons(options),
  ]);
  await importGlosses(options);
  await addQueue(options);
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
  log(`${site}: ${articles.imported} articles, ${objects.imported} objects`);
  // A refused file would be refused again at the next start, so it is logged and not tried again.
  for (const failure of [...articles.failed, ...objects.failed]) log(`${site}: ${failure}`);
  await setHighlights(site, dir, desk);
  if (site === 'org') await createPrompt(site, dir, desk);
}

async function importSynonyms({ sampleDir, desk, log }: SampleOptions): Promise<void> {
  const result = await desk(['synonym', 'import', join(sampleDir, 'synonyms.yaml'), '--json']).then(readEntries);
  log(`search: ${result.imported} groups of synonyms`);
  for (const failure of result.failed) log(`synonyms: ${failure}`);
}

async function importReasons({ sampleDir, desk }: SampleOptions): Promise<void> {
  await desk(['reason', 'import', join(sampleDir, 'reasons.yaml'), '--json']);
}

/** Imports the glosses last, because a gloss needs its text. */
async function importGlosses({ sampleDir, desk, log }: SampleOptions): Promise<void> {
  const result = await desk(['gloss', 'import', join(sampleDir, 'glosses.yaml'), '--json']).then(readEntries);
  for (const failure of result.failed) log(`glosses: ${failure}`);
}

/** Adds what waits for review, after the prompt that some of it answers. */
async function addQueue({ sampleDir, desk, log, agents }: SampleOptions): Promise<void> {
  if (agents === undefined) return;
  try {
    log(`queue: ${await fillQueue(sampleDir, desk, agents)} contributions`);
  } catch (error) {
    agents.signal.throwIfAborted();
    log(`queue: left out: ${(error as Error).message}`);
  }
}

function readEntries(result: unknown): { imported: number; failed: string[] } {
  const { imported, entries } = (result ?? {}) as {
    imported?: unknown;
    entries?: { name: string; problem?: string }[];
  };
  const failed = (entries ?? []).filter(({ problem }) => problem !== undefined);
  return { imported: Number(imported ?? 0), failed: failed.map(({ name, problem }) => `${name}: ${problem}`) };
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

function readResult(result: unknown): { imported: number; failed: string[] } {
  const { imported, failed } = (result ?? {}) as { imported?: unknown; failed?: { file: string; problem: string }[] };
  const count = Array.isArray(imported) ? imported.length : Number(imported ?? 0);
  return { imported: count, failed: (failed ?? []).map(({ file, problem }) => `${file}: ${problem}`) };
}

function readYaml(path: string): unknown {
  return load(readFileSync(path, 'utf8'));
}
