import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { load } from 'js-yaml';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { StartError, until } from '../processes/supervise.js';
import type { Desk } from './desk.js';

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

async function isEmpty(desk: Desk) {
  const lists = await Promise.all(siteNames.map((site) => desk(['article', 'list', '--json', '--site', site])));
  return lists.every((list) => Array.isArray(list) && list.length === 0);
}

async function importSite(site: Site, { sampleDir, desk, log }: SampleOptions) {
  const dir = join(sampleDir, site);
  const [articles, objects] = await Promise.all([
    desk(['article', 'import', join(dir, 'articles'), '--publish', '--site', site, '--json']).then(readResult),
    desk(['object', 'import', join(dir, 'objects'), '--site', site, '--json']).then(readResult),
  ]);
  await setHighlights(site, dir, desk);
  if (site === 'org') await createPrompt(site, dir, desk);
  log(`${site}: ${articles} articles, ${objects} objects`);
}

async function importSynonyms({ sampleDir, desk, log }: SampleOptions) {
  const groups = await desk(['synonym', 'import', join(sampleDir, 'synonyms.yaml'), '--json']).then(readResult);
  log(`search: ${groups} groups of synonyms`);
}

async function importReasons({ sampleDir, desk }: SampleOptions) {
  await desk(['reason', 'import', join(sampleDir, 'reasons.yaml'), '--json']);
}

async function importGlosses({ sampleDir, desk }: SampleOptions) {
  await desk(['gloss', 'import', join(sampleDir, 'glosses.yaml'), '--json']).then(readResult);
}

/** Gives the agents of the sample access, and returns what fills the queue with their contributions. */
async function agentsOf({ sampleDir, desk, log, signal, agents }: SampleOptions) {
  if (agents === undefined) return async () => undefined;
  const handIn = await prepareQueue(sampleDir, desk, { ...agents, log, signal });
  return async () => log(`queue: ${await handIn()} contributions`);
}

async function setHighlights(site: Site, dir: string, desk: Desk) {
  const highlights = readYaml(join(dir, 'highlights.yaml')) as { slug: string; note: string }[];
  const slugs = highlights.map(({ slug }) => slug);
  const notes = highlights.flatMap(({ slug, note }) => ['--note', `${slug}=${note}`]);
  await desk(['highlight', 'set', '--site', site, ...slugs, ...notes, '--yes']);
}

async function createPrompt(site: Site, dir: string, desk: Desk) {
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
function readResult(result: unknown) {
  const { imported, unchanged, failed, entries = [] } = result as ImportResult;
  const files = typeof failed === 'number' ? entries : failed.map(({ file: name, problem }) => ({ name, problem }));
  const problems = files.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
  const [first] = problems;
  if (first === undefined) return imported + unchanged;
  throw problems.some((each) => each.includes('unavailable')) ? new Error(first) : new Refusal(first);
}

function readYaml(path: string) {
  return load(readFileSync(path, 'utf8'));
}

/** Where the agents of the sample hand in their work, and where their humans get mails. */
interface AgentWorld {
  readonly gateway: string;
  readonly mailbox: string;
}

type World = AgentWorld & Persistence;

/** A contribution of the sample, with the agent that sends it and its human. */
interface Work {
  readonly site: string;
  readonly email: string;
  readonly agent: string;
  /** Why the agent asks for access. */
  readonly why: string;
  readonly contribution: { readonly body: string };
}

const mailWithinMs = 120_000;

/**
 * Asks for access for each agent of the sample as agents do, with the yes of its human. Returns what hands in their
 * contributions and says how many those were.
 */
async function prepareQueue(sampleDir: string, desk: Desk, world: World) {
  const list = () => desk(['review', 'list', '--all', '--json']);
  const queue = (await persist('queue', world, list)) as { email: string; body: string }[];
  const isSent = ({ email, contribution }: Work) =>
    queue.some((each) => each.email === email && each.body === contribution.body);
  const missing = readWork(sampleDir).filter((work) => !isSent(work));
  const firstOfEach = new Map(missing.map((work) => [work.email, work]));
  const asked = [...firstOfEach].map(async ([email, work]) => [email, await fetchToken(work, world)] as const);
  const tokens = new Map(await Promise.all(asked));
  return async () => {
    // One after the other, so that every queue has the same order.
    for (const { site, email, contribution } of missing) {
      await post(world, `/api/v1/contributions?site=${site}`, contribution, tokens.get(email));
    }
    return missing.length;
  };
}

function readWork(sampleDir: string): Work[] {
  return siteNames.flatMap((site) => {
    const folder = join(sampleDir, site, 'contributions');
    const files = readdirSync(folder).sort();
    return files.map((file) => {
      const content = load(readFileSync(join(folder, file), 'utf8'));
      const { email, agent, why, ...contribution } = content as Omit<Work, 'contribution'> & { body: string };
      return { site, email, agent, why, contribution };
    });
  });
}

/** Asks for access, confirms with the link in the mail, and fetches the token. */
async function fetchToken({ site, email, agent, why }: Work, world: World) {
  const request = { email, agent_name: agent, purpose: why };
  const asked = await post(world, `/api/v1/agent/authorize?site=${site}`, request);
  const { pathname, search } = new URL(await linkIn(world, email, asked.user_code));
  await post(world, `${pathname}${search}`, { user_code: asked.user_code });
  const { device_code } = asked.token_exchange;
  const { token } = await post(world, '/api/v1/agent/token', { device_code });
  return token;
}

/** Waits for the mail that shows the code, and returns its first link. */
async function linkIn({ mailbox, signal }: World, email: string, code: string) {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(mailWithinMs)]);
  const read = async (path: string) => (await fetch(`${mailbox}/api/messages${path}`, { signal: inTime })).json();
  let link: string | undefined;
  const find = async () => {
    const { messages } = (await read(`?to=${encodeURIComponent(email)}`)) as {
      messages: { id: string; text: string }[];
    };
    const mail = messages.find(({ text }) => text.includes(code));
    if (mail !== undefined) link = ((await read(`/${mail.id}`)) as { links: string[] }).links[0];
    return link !== undefined;
  };
  // Each try costs both processes a request, and the texts that are imported meanwhile take longer.
  await until(inTime, find, 250).catch(() => {
    signal.throwIfAborted();
    throw new StartError(
      `The sample content is not complete: no mail to ${email} came within ${mailWithinMs / 1_000} s.`,
    );
  });
  return link as string;
}

/** The fields of the answers that are used here. */
interface Answer {
  readonly user_code: string;
  readonly token_exchange: { readonly device_code: string };
  readonly token: string;
}

/** Sends a request until it is answered, since a repeat does no harm. @throws StartError */
function post(world: World, path: string, body: object, token?: string): Promise<Answer> {
  const { gateway, signal } = world;
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return persist(`queue: ${path.split('?')[0]}`, world, async () => {
    const response = await fetch(`${gateway}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const answer = (await response.json()) as Answer & { ok: boolean; error?: string; message?: string };
    if (answer.ok) return answer;
    throw new (answer.error === 'unavailable' ? Error : Refusal)(`${answer.error}, ${answer.message}`);
  });
}

/** A refusal, which would come again. All other errors can pass: a process that starts again, a busy machine. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

interface Persistence {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const patienceMs = 120_000;

/** Does a step of the sample until it succeeds, and says why it is done again. @throws StartError when it gives up */
async function persist<T>(what: string, { log, signal }: Persistence, step: () => Promise<T>) {
  const giveUp = performance.now() + patienceMs;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      const { message } = error as Error;
      if (error instanceof StartError) throw error;
      if (error instanceof Refusal || performance.now() > giveUp) {
        const advice = '"npm start" goes on where it stopped, "SAMPLE=off npm start" does without.';
        throw new StartError(`The sample content is not complete: ${what}: ${message}\n${advice}`);
      }
      log(`${what}: trying again: ${message}`);
      await delay(pauseMs, undefined, { signal });
    }
  }
}
