import { expect, test } from 'vitest';
import { freshEmail, mailsTo } from '../harness/agent.js';
import { deskOf } from '../harness/desk.js';
import { bearer, call } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';
import { newHuman, sendText, sendWave, spunText, type WaveHuman } from '../harness/wave.js';

interface Group {
  key: string;
  key_at_time: string;
  contributions: number;
  humans: number;
}
interface Listed {
  id: string;
  state: string;
  email: string;
  held: object | null;
}

const domain = 'wave.example';

const system = await ownSystem();
const desk = deskOf(system);
const senders = await sendWave(system, { domain, humans: 25, each: 20 });
const human = await newHuman(system, freshEmail('newcomer'));
const story = { title: 'What our first rollout taught us', body: 'We moved one plant at a time, and it held.' };
const newcomer = { token: human.token, id: await sendText(system, human, story) };

const waiting = () => desk.json<Listed[]>('review', 'list', '--group', `link:${domain}`);
const groupOf = async (): Promise<Group> => {
  const groups = await desk.json<Group[]>('review', 'groups');
  const found = groups.find(({ key }) => key === `link:${domain}`);
  if (found === undefined) throw new Error('The wave is in no group.');
  return found;
};

test('500 texts of 25 mailboxes are one line, one decision and one undo, and a newcomer among them is not swept up', async () => {
  const seen = await groupOf();
  expect(seen).toMatchObject({ contributions: 500, humans: 25 });
  const listed = await desk.run('review', 'groups');
  expect(listed.stdout).toMatch(/500 +25 +link to wave\.example +link:wave\.example@20/);
  expect(listed.stderr).toContain('knowledge domain limit wave.example --humans N');
  expect(await desk.json('review', 'list', '--group', 'none')).toMatchObject([{ id: newcomer.id }]);

  // One comes after the look.
  const [first] = senders as [WaveHuman];
  const late = await sendText(system, { ...first, email: `late@${domain}` }, spunText(domain, 'late'));
  await until('the late text in the group', async () => (await waiting()).length === 501);
  const reject = ['review', 'reject-group', seen.key_at_time, '--reason', 'It is an advertisement.', '--end-agents'];
  expect(await desk.refused(...reject.with(2, seen.key), '--yes')).toMatchObject({ code: 2, error: 'usage' });
  expect(await desk.refused(...reject, '--except', newcomer.id, '--yes')).toMatchObject({ code: 2, error: 'usage' });
  const { code, stdout, stderr } = await desk.run(...reject, '--yes');
  expect([code, stderr]).toEqual([0, '1 text came or changed since your look and will stay.\n']);
  const [, group = ''] =
    /^Rejected 500 contributions; takes effect at \d\d:\d\d:\d\d UTC\. The access of 25 agents ends too\. .+ --group (\S+)"/.exec(
      stdout,
    ) ?? [];
  expect((await desk.run('review', 'groups')).stderr).toContain(
    `takes all back: knowledge review undo --group ${group}`,
  );
  const held = (await waiting()).filter((each) => each.held !== null);
  expect(held).toHaveLength(500);
  expect(held.map(({ id }) => id)).not.toContain(late);
  const inNoWave = (await desk.json<Listed[]>('review', 'list', '--group', 'none')).map(({ id }) => id);
  expect(inNoWave.sort()).toEqual([newcomer.id, late].sort());

  expect(await desk.json('review', 'undo', '--group', group)).toEqual({ undone: 500 });
  expect((await waiting()).filter((each) => each.held !== null)).toEqual([]);
  expect(await desk.refused('review', 'undo', '--group', group)).toMatchObject({ error: 'invalid_state' });
  expect(await desk.refused('review', 'undo')).toMatchObject({ code: 2 });

  // One of them is left out, and so is its agent.
  const [spared] = (await waiting()) as [Listed];
  const { key_at_time: now } = await groupOf();
  const some = await desk.run(...reject.with(2, now), '--except', spared.id, '--yes');
  expect(some.stdout).toMatch(/^Rejected 500 contributions; .+ The access of 24 agents ends too\./);
  expect((await waiting()).filter((each) => each.held === null)).toMatchObject([{ id: spared.id }]);
  await desk.run('review', 'undo', '--group', / --group (\S+)"/.exec(some.stdout)?.[1] ?? '');

  const record = await desk.json<Listed[]>('review', 'list', '--group', 'none');
  expect(record).toMatchObject([{ id: newcomer.id, held: null, state: 'pending_review' }]);
}, 120_000);

test('a group ends its agents after the undo time, writes no mail of its own about that, and withdraws what came late', async () => {
  const listed = await desk.json<(Listed & { revision: number })[]>('review', 'list', '--group', `link:${domain}`);
  const seen = listed.filter(({ email }) => !email.startsWith('late@')).map(({ id, revision }) => ({ id, revision }));
  expect(seen).toHaveLength(500);
  const request = {
    contributions: seen,
    reason: 'It is an advertisement.',
    endAgents: true,
    holdSeconds: 1,
    keptAuthorizationIds: [],
  };
  expect(await system.clients.moderation.rejectGroup(request, asTester())).toMatchObject({ decided: 500, left: [] });
  const works = async (token: string) =>
    (await call(`${system.url}/api/v1/contributions`, { headers: bearer(token) })).status;
  for (const { token } of senders) await until('the end of an agent', async () => (await works(token)) === 401, 60_000);
  await until('the late text to be withdrawn', async () => (await waiting()).length === 0);
  expect(await works(newcomer.token)).toBe(200);
  const states = await desk.json<Listed[]>('review', 'list', '--state', 'rejected', '--group', `link:${domain}`);
  expect(states).toHaveLength(500);
  const subjects = senders.flatMap(({ email }) => mailsTo(system, email).map(({ subject }) => subject ?? ''));
  expect(new Set(subjects)).toEqual(
    new Set(['An agent was given access in your name', 'An agent sent a story in your name']),
  );
}, 180_000);
