import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { expect, test } from 'vitest';
import { articleToPut, putArticle } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { ownSystem } from '../harness/own.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await ownSystem();
const desk = deskOf(system);

interface Event {
  cursor: string;
  service: string;
  subject: string;
  slug?: string;
  id?: string;
  state: string;
}

interface Watch {
  readonly events: Event[];
  readonly notes: string[];
  /** Sends Ctrl-C. Returns the exit code. */
  interrupt(): Promise<number | null>;
}

/** Starts `knowledge watch` and waits until it is ready. */
async function watch(...args: string[]): Promise<Watch> {
  const child: ChildProcess = desk.start('watch', '--json', ...args);
  const events: Event[] = [];
  const notes: string[] = [];
  createInterface({ input: child.stdout as Readable }).on('line', (line) => events.push(JSON.parse(line)));
  createInterface({ input: child.stderr as Readable }).on('line', (line) => notes.push(line));
  await until('the watch to begin', () => notes.some((note) => note.startsWith('watching from ')));
  return {
    events,
    notes,
    async interrupt() {
      const ended = once(child, 'close');
      child.kill('SIGINT');
      return (await ended)[0];
    },
  };
}

const put = (slug: string) => putArticle(system, { slug });
const slugs = (events: readonly Event[]) => events.flatMap(({ slug }) => slug ?? []);

test('watch shows every change of three services, and resumes where it stopped', async () => {
  const first = await watch();
  await put('watched-1');
  await system.issueToken('watch@example.org');
  await desk.json('prompt', 'create', '--site', 'io', '--question', 'What do you watch?');
  await until('all events', () => new Set(first.events.map(({ subject }) => subject)).size === 4);
  expect(first.events.map(({ service, subject, state }) => `${service} ${subject} ${state}`).sort()).toEqual([
    'content article published',
    'contributions prompt scheduled',
    'identity authorization issued',
    'identity token active',
  ]);
  expect(await first.interrupt()).toBe(0);

  // The second watch first shows this change, which happened while no watch ran.
  await put('watched-2');
  const second = await watch('--after', first.events.at(-1)?.cursor ?? '');
  await put('watched-3');
  await until('both', () => slugs(second.events).length === 2);
  expect(slugs(second.events)).toEqual(['watched-2', 'watched-3']);
  expect(second.events).toHaveLength(2);
  expect(await second.interrupt()).toBe(0);

  const whole = await watch('--after', '0');
  await until('everything', () => whole.events.length >= 6);
  expect(slugs(whole.events)).toEqual(['watched-1', 'watched-2', 'watched-3']);
  expect(await whole.interrupt()).toBe(0);
});

test('a watch that has seen nothing yet resumes without loss', async () => {
  const idle = await watch();
  const cursor = idle.notes[0]?.replace('watching from ', '') ?? '';
  expect(await idle.interrupt()).toBe(0);
  await put('while-away');
  const resumed = await watch('--after', cursor);
  await until('the event', () => resumed.events.length > 0);
  expect(slugs(resumed.events)).toEqual(['while-away']);
  expect(await resumed.interrupt()).toBe(0);
});

test('a watch filters by actor, thing and time, ends at its end time, and shows titles', async () => {
  const since = new Date().toISOString();
  await put('narrow-1');
  await system.clients.editorial.putArticle(articleToPut({ slug: 'narrow-2' }), { ...asTester(), actor: 'desk:ada' });
  await desk.json('prompt', 'create', '--site', 'io', '--question', 'What did you narrow down?');
  const issue = ['token', 'issue', '--email', 'narrow@example.org', '--agent', 'Narrow', '--yes'];
  const issued = await desk.json<Event>(...issue);
  const until = new Date(Date.now() + 1).toISOString();
  await put('narrow-3');
  const lines = async (...args: string[]): Promise<string[]> => {
    const { code, stdout } = await desk.run('watch', ...args);
    expect(code).toBe(0);
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(21));
  };
  const whole = await lines('--since', since, '--until', until);
  expect(whole.sort()).toEqual([
    'article narrow-1 "About narrow-1" on org: new → published  by tester',
    'article narrow-2 "About narrow-2" on org: new → published  by desk:ada',
    expect.stringMatching(/^authorization [0-9a-f-]{36} "Narrow": new → issued {2}by desk:test$/),
    expect.stringMatching(/^prompt [0-9a-f-]{36} "What did you narrow down\?" on io: new → scheduled {2}by desk:test$/),
    `token ${issued.id} "Narrow": new → active  by desk:test`,
  ]);
  const narrowed = async (...args: string[]) => (await lines('--since', since, '--until', until, ...args)).length;
  expect(await lines('--since', since, '--until', until, '--by', 'desk:ada')).toEqual([whole[1]]);
  expect(await narrowed('--id', 'narrow-1')).toBe(1);
  expect(await lines('--since', since, '--until', until, '--id', issued.id?.slice(0, 13) ?? '')).toEqual([whole[4]]);
  expect(await narrowed('--person', 'Narrow@example.org')).toBe(2);
});

test('a watch finds every kind of subject that quota records', async () => {
  const reset = async (kind: SubjectKind, value: string) => {
    const { allowances } = await system.clients.quotaAdmin.resetSubject(
      { subject: { kind, value }, reason: 'x' },
      asTester(),
    );
    expect(allowances).not.toEqual([]);
  };
  await reset(SubjectKind.MAIL_DOMAIN, 'watched.example');
  await reset(SubjectKind.SERVICE, 'all');
  for (const subject of ['mail_domain', 'service']) {
    const until = new Date(Date.now() + 1).toISOString();
    const { stdout } = await desk.run('watch', '--json', '--after', '0', '--subject', subject, '--until', until);
    expect(JSON.parse(stdout)).toMatchObject({ service: 'quota', subject, state: 'reset' });
  }
});

test('a watch survives killed services without losing or repeating an event', async () => {
  const running = await watch();
  for (let round = 1; round <= 3; round++) {
    await put(`round-${round}-before`);
    await system.processes['content']?.kill('SIGKILL');
    await system.processes['content']?.restart();
    await until('content to serve', () => put(`round-${round}-after`));
  }
  const expected = [1, 2, 3].flatMap((round) => [`round-${round}-before`, `round-${round}-after`]);
  await until('all events', () => slugs(running.events).length >= expected.length, 20_000);
  expect(slugs(running.events)).toEqual(expected);
  expect(await running.interrupt()).toBe(0);
});

test('a watch ends quietly if its output is closed', async () => {
  const child = desk.start('watch', '--after', '0');
  const notes = text(child.stderr as Readable);
  const ended = once(child, 'close');
  await once(child.stdout as Readable, 'data');
  child.stdout?.destroy();
  // The reader of the output has gone, so the watch cannot write its next line.
  await put('after-the-reader-left');
  expect((await ended)[0]).toBe(0);
  expect(await notes).toMatch(/^watching from [^\n]*\n$/);
});

test('status shows what is up and what is down', async () => {
  const up = await desk.json<{ id: string; state: string }[]>('status');
  expect(up.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'content ready',
    'quota ready',
    'identity ready',
    'contributions ready',
  ]);
  expect(up[0]).toMatchObject({ address: system.addresses.content, counts: [{ site: 'io' }, { site: 'org' }] });

  await system.processes['quota']?.kill('SIGKILL');
  const began = Date.now();
  const { code, stdout } = await desk.run('status', '--json');
  expect(code).toBe(1);
  expect(Date.now() - began).toBeLessThan(5000);
  expect(JSON.parse(stdout)[1]).toMatchObject({ id: 'quota', state: 'down', detail: 'nothing listens there' });
  expect(await desk.refused('quota', 'show', 'client:a')).toMatchObject({ code: 1, error: 'unavailable' });
  await system.processes['quota']?.restart();
  await until('quota to be back', async () => (await desk.run('status')).code === 0);
});
