import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { load } from 'js-yaml';
import { StartError, until } from '../processes/supervise.js';
import type { Desk } from './desk.js';

/** Where the agents of the sample hand in their work, and where their humans get mails. */
export interface AgentWorld {
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
export async function prepareQueue(sampleDir: string, desk: Desk, world: World): Promise<() => Promise<number>> {
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
  return ['io', 'org'].flatMap((site) => {
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
async function fetchToken({ site, email, agent, why }: Work, world: World): Promise<string> {
  const request = { email, agent_name: agent, purpose: why };
  const asked = await post(world, `/api/v1/agent/authorize?site=${site}`, request);
  const { pathname, search } = new URL(await linkIn(world, email, asked.user_code));
  await post(world, `${pathname}${search}`, { user_code: asked.user_code });
  const { device_code } = asked.token_exchange;
  const { token } = await post(world, '/api/v1/agent/token', { device_code });
  return token;
}

/** Waits for the mail that shows the code, and returns its first link. */
async function linkIn({ mailbox, signal }: World, email: string, code: string): Promise<string> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(mailWithinMs)]);
  const read = async (path: string) => (await fetch(`${mailbox}/api/messages${path}`, { signal: inTime })).json();
  let link: string | undefined;
  await until(inTime, async () => {
    const { messages } = (await read(`?to=${encodeURIComponent(email)}`)) as {
      messages: { id: string; text: string }[];
    };
    const mail = messages.find(({ text }) => text.includes(code));
    if (mail !== undefined) link = ((await read(`/${mail.id}`)) as { links: string[] }).links[0];
    return link !== undefined;
  }).catch(() => {
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
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

export interface Persistence {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const patienceMs = 120_000;

/** Does a step of the sample until it succeeds, and says why it is done again. @throws StartError when it gives up */
export async function persist<T>(what: string, { log, signal }: Persistence, step: () => Promise<T>): Promise<T> {
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
