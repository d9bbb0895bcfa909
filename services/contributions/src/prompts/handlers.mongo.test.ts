import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { hasCode } from '@knowledge/runtime';
import { allPages } from '@knowledge/runtime/testing';
import { describe, expect, it } from 'vitest';
import { startReplicas } from '../testing/start-replicas.js';

let now = new Date('2026-06-01T12:00:00Z');
const call = { requestId: 'test', actor: 'editor' };

const service = await startReplicas('prompts', { clock: () => now });

const door = (turn = 0) => service.at(turn);

async function create(
  fields: { opensAt?: Date; closesAt?: Date; activate?: boolean; site?: Site } = {},
): Promise<Prompt> {
  const { opensAt, closesAt, activate = false, site = Site.ORG } = fields;
  const question = 'What surprised you most?';
  const request = { id: randomUUID(), site, question, opensAt, closesAt, activate };
  const { prompt } = await door().prompts.createPrompt(request, call);
  if (prompt === undefined) throw new Error('no prompt');
  return prompt;
}

async function statesOf(ids: string[]): Promise<PromptState[]> {
  const page = { site: Site.UNSPECIFIED, state: PromptState.UNSPECIFIED, pageSize: 200, pageToken: '' };
  const { prompts } = await door(1).prompts.listPrompts(page, call);
  return ids.map((id) => prompts.find((each) => each.id === id)?.state ?? PromptState.UNSPECIFIED);
}

async function active(turn: number, site = Site.ORG): Promise<string | undefined> {
  try {
    return (await door(turn).contributions.getActivePrompt({ site }, { requestId: 'test' })).prompt?.id;
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}

describe('PromptService', () => {
  it('finds a prompt by an id prefix', async () => {
    const { id } = await create();
    const page = { site: Site.UNSPECIFIED, state: PromptState.UNSPECIFIED, pageSize: 0, pageToken: '' };
    const { prompts } = await door().prompts.listPrompts({ ...page, idPrefix: id.slice(0, 13) }, call);
    expect(prompts.map((each) => each.id)).toEqual([id]);
  });

  it('creates a prompt once for one id', async () => {
    const times = { opensAt: undefined, closesAt: undefined, activate: false };
    const request = { id: randomUUID(), site: Site.IO, question: 'What did you roll back, and why?', ...times };
    const racing = Array.from({ length: 10 }, (_, i) => door(i).prompts.createPrompt(request, call));
    const answers = await Promise.all(racing);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const other = { ...request, question: 'Something else altogether?' };
    await expect(door().prompts.createPrompt(other, call)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('requires an actor, and an id that is known', async () => {
    const { id: known } = await create();
    const refused = { code: 'validation_error', message: expect.stringContaining('x-actor') };
    await expect(door().prompts.activatePrompt({ id: known }, { requestId: 'test' })).rejects.toMatchObject(refused);
    const id = randomUUID();
    await expect(door().prompts.activatePrompt({ id }, call)).rejects.toMatchObject({ code: 'not_found' });
    await expect(door().prompts.closePrompt({ id: '{"$ne":null}' }, call)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has exactly one active prompt after two replicas activated 20 in parallel', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create()));
    const ids = made.map(({ id }) => id);
    await Promise.all(ids.map((id, i) => door(i).prompts.activatePrompt({ id }, call)));
    const states = await statesOf(ids);
    expect(states.filter((state) => state === PromptState.ACTIVE)).toHaveLength(1);
    expect(states.filter((state) => state === PromptState.CLOSED)).toHaveLength(19);
    expect(await service.db.collection('prompts').countDocuments({ site: 'org', state: 'active' })).toBe(1);
    const winner = ids[states.indexOf(PromptState.ACTIVE)];
    expect([await active(0), await active(1)]).toEqual([winner, winner]);
    const opened = { site: 'org', openedAt: { $ne: null } };
    expect(await service.db.collection('prompts').distinct('openedAt', opened)).toHaveLength(20);
  });

  it('opens and closes prompts at their times when they are read', async () => {
    const in1h = new Date(now.getTime() + 3_600_000);
    const in2h = new Date(now.getTime() + 7_200_000);
    const standing = await create({ activate: true });
    const timed = await create({ opensAt: in1h, closesAt: in2h });
    expect(await active(0)).toBe(standing.id);
    now = in1h;
    expect(await Promise.all([active(0), active(1), active(0)])).toEqual([timed.id, timed.id, timed.id]);
    expect(await statesOf([standing.id, timed.id])).toEqual([PromptState.CLOSED, PromptState.ACTIVE]);
    now = in2h;
    const seen = await Promise.all(Array.from({ length: 40 }, (_, at) => active(at % 2)));
    expect(seen).toEqual(seen.map(() => undefined));
  });

  it('shows readers the active prompt first, then the closed ones, in list pages, and no unopened one', async () => {
    await create();
    const last = await create({ activate: true });
    const pages = await allPages((pageToken) =>
      door(pageToken.length).contributions.listPublicPrompts({ site: Site.ORG, pageSize: 3, pageToken }, call),
    );
    const seen = pages.flatMap(({ prompts }) => prompts);
    expect(seen[0]).toMatchObject({ id: last.id, state: PromptState.ACTIVE });
    expect(seen.slice(1).every(({ state }) => state === PromptState.CLOSED)).toBe(true);
    const times = seen.map(({ opensAt }) => opensAt?.getTime() ?? 0);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    const opened = { site: 'org', openedAt: { $ne: null } };
    expect(seen).toHaveLength(await service.db.collection('prompts').countDocuments(opened));
  });
});

it('corrects the question of a scheduled prompt, and shows a prompt with its history', async () => {
  const { id } = await create();
  const question = 'What surprised you the most?';
  const { prompt } = await door().prompts.correctPrompt({ id, question, reason: 'a typo' }, call);
  expect(prompt).toMatchObject({ id, question, revision: 2 });
  const shown = await door(1).prompts.getPromptRecord({ id }, call);
  expect(shown).toMatchObject({ prompt: { question }, history: [{ toState: 'scheduled' }, { reason: 'a typo' }] });
  await expect(door().prompts.getPromptRecord({ id: 'x' }, call)).rejects.toMatchObject({ code: 'not_found' });
});
