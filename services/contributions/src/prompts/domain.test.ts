import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceSchedule,
  closePrompt,
  correctPrompt,
  createPrompt,
  dueAt,
  isSamePrompt,
  type NewPrompt,
  openPrompt,
  type Prompt,
} from './domain.js';

const now = new Date('2026-06-01T12:00:00Z');
const later = new Date('2026-06-02T12:00:00Z');
const act = { actor: 'editor', at: now, reason: '' };
const fields: NewPrompt = {
  ...{ id: '11111111-1111-4111-8111-111111111111', site: 'org', question: 'What surprised you most?' },
  ...{ opensAt: null, closesAt: null, activate: false },
};
const made = createPrompt(fields, act);
const opened = (prompt: Prompt) => openPrompt(prompt, undefined, act)[0] as Prompt;
const closed = (prompt: Prompt) => closePrompt(prompt, act)[0] as Prompt;

describe('createPrompt', () => {
  it('makes a scheduled prompt with its history', () => {
    expect(made).toMatchObject({ state: 'scheduled', revision: 1, createdAt: now });
    expect(made.history).toEqual([{ from: '', to: 'scheduled', actor: 'editor', at: now, reason: '', revision: 1 }]);
  });

  it.each<[string, Partial<NewPrompt>, RegExp]>([
    ['an id that is no UUID', { id: 'abc' }, /id must be a UUID/],
    ['a short question', { question: '   short   ' }, /question must have at least 10 characters/],
    ['a long question', { question: '😀'.repeat(501) }, /question must have at most 500 characters/],
    ['a NUL', { question: 'What did\0 you learn?' }, /question must be well-formed/],
    ['an unpaired surrogate', { question: 'What did you learn \ud800?' }, /question must be well-formed/],
    ['a hidden character', { question: 'What did\u{e0041} you learn?' }, /question must not contain U\+E0041/],
    ['an end in the past', { closesAt: now }, /closes_at must be later than now/],
    ['an end before the beginning', { opensAt: later, closesAt: later }, /closes_at must be later than opens_at/],
    ['a beginning in the past', { opensAt: new Date(0) }, /opens_at must be later than now without activate/],
    ['activation with a later beginning', { opensAt: later, activate: true }, /opens_at must not be later/],
  ])('refuses %s', (_, change, message) => {
    expect(() => createPrompt({ ...fields, ...change }, act)).toThrow(message);
  });

  it('measures a question in code points', () => {
    expect(createPrompt({ ...fields, question: '😀'.repeat(500) }, act).state).toBe('scheduled');
  });
});

describe('openPrompt and closePrompt', () => {
  it('opens once, closes once, and never opens again', () => {
    const active = opened(made);
    expect(active).toMatchObject({ state: 'active', opensAt: now, openedAt: now, revision: 2 });
    expect(openPrompt(active, active, act)).toEqual([]);
    const [over] = closePrompt(active, { ...act, at: later }) as [Prompt];
    expect(over).toMatchObject({ state: 'closed', closesAt: later, revision: 3 });
    expect(closePrompt(over, act)).toEqual([]);
  });

  it('closes the previous prompt in the same step and opens the new one after it, even within a millisecond', () => {
    const next = createPrompt({ ...fields, id: '22222222-2222-4222-8222-222222222222' }, act);
    const changed = openPrompt(next, opened(made), act);
    expect(changed.map(({ state }) => state)).toEqual(['closed', 'active']);
    expect(changed[1]?.openedAt?.getTime()).toBe(now.getTime() + 1);
  });
});

describe('correctPrompt', () => {
  const corrected = 'What surprised you the most?';

  it('changes the question of a scheduled prompt and stores actor and reason', () => {
    const [after] = correctPrompt(made, corrected, { actor: 'ann', at: later, reason: 'a typo' });
    expect(after).toMatchObject({ question: corrected, state: 'scheduled', revision: 2 });
    expect(after?.history.at(-1)).toMatchObject({ from: 'scheduled', to: 'scheduled', actor: 'ann', reason: 'a typo' });
    expect(correctPrompt(made, fields.question, act)).toEqual([]);
  });

  it('refuses a question that is too short, or one that readers have seen', () => {
    expect(() => correctPrompt(made, 'short', act)).toThrow(/at least 10/);
    expect(() => correctPrompt(opened(made), corrected, act)).toThrow(/The prompt is active/);
  });
});

it('accepts planned times at their limits', () => {
  const soon = new Date(now.getTime() + 1);
  expect(createPrompt({ ...fields, opensAt: now, closesAt: soon, activate: true }, act)).toMatchObject({
    ...{ opensAt: now, closesAt: soon, openedAt: null, state: 'scheduled' },
  });
  expect(createPrompt({ ...fields, opensAt: later }, act).opensAt).toEqual(later);
});

it('recognises the same prompt by site and question', () => {
  expect(isSamePrompt(made, fields)).toBe(true);
  expect(isSamePrompt(made, { ...fields, site: 'io' })).toBe(false);
  expect(isSamePrompt(made, { ...fields, question: 'What surprised you least?' })).toBe(false);
});

it('has the time of the next scheduled change', () => {
  const planned = { ...made, opensAt: now, closesAt: later };
  expect(dueAt(planned)).toEqual(now);
  expect(dueAt({ ...planned, opensAt: null })).toEqual(later);
  expect(dueAt({ ...planned, state: 'active' })).toEqual(later);
  expect(dueAt({ ...planned, state: 'closed' })).toBeNull();
});

it('removes the planned opening of a prompt that closes without opening, and keeps a real opening', () => {
  const planned = createPrompt({ ...fields, opensAt: later }, act);
  expect(closed(planned)).toMatchObject({ opensAt: null, openedAt: null, closesAt: now });
  expect(closed(opened(planned))).toMatchObject({ opensAt: now, openedAt: now });
});

it('explains why a prompt cannot be opened or corrected', () => {
  const over = closed(made);
  const refused = (message: string) => expect.objectContaining({ code: 'invalid_state', message });
  const again = 'The prompt is closed; a closed prompt cannot be opened again.';
  expect(() => openPrompt(over, undefined, act)).toThrow(refused(again));
  const seen = 'The prompt is closed: readers have seen its question. Only that of a scheduled one can be corrected.';
  expect(() => correctPrompt(over, 'What surprised you least?', act)).toThrow(refused(seen));
  const wordy = { ...act, reason: 'x'.repeat(2001) };
  expect(() => correctPrompt(over, fields.question, wordy)).toThrow('reason must have at most 2000 characters.');
  expect(correctPrompt(over, fields.question, { ...act, reason: 'x'.repeat(2000) })).toEqual([]);
});

const epoch = Date.UTC(2026, 0, 1);
const at = (minute: number): Date => new Date(epoch + minute * 60_000);
const byEditor = { actor: 'editor', at: at(0), reason: '' };
let count = 0;

function prompt(opensAt: number | null, closesAt: number | null): Prompt {
  const id = `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`;
  const fields = { id, site: 'org' as const, question: 'What did you learn from it?', activate: false };
  const opens = opensAt === null ? null : at(opensAt);
  const closes = closesAt === null ? null : at(closesAt);
  return createPrompt({ ...fields, opensAt: opens, closesAt: closes }, byEditor);
}

function apply(open: Prompt[], now: Date): Prompt[] {
  const changed = new Map(advanceSchedule(open, now).map((each) => [each.id, each]));
  return open.map((each) => changed.get(each.id) ?? each);
}

describe('advanceSchedule', () => {
  it('opens at opens_at, closes at closes_at, and stores these times even if it runs late', () => {
    const [late] = apply([prompt(10, 20)], at(60));
    expect(late).toMatchObject({ state: 'closed', openedAt: at(10), closesAt: at(20), revision: 3 });
    expect(late?.history.map(({ from, to, at: when }) => [from, to, when])).toEqual([
      ['', 'scheduled', at(0)],
      ['scheduled', 'active', at(10)],
      ['active', 'closed', at(20)],
    ]);
  });

  it('closes the active prompt when the next one opens', () => {
    const first = openPrompt(prompt(null, null), undefined, byEditor)[0] as Prompt;
    const [former, next] = apply([first, prompt(5, null)], at(5));
    expect(former).toMatchObject({ state: 'closed', closesAt: at(5) });
    expect(next).toMatchObject({ state: 'active', openedAt: at(5) });
  });

  it('closes a prompt at its closes_at even if it never opened', () => {
    const [unseen] = apply([prompt(null, 5)], at(5));
    expect(unseen).toMatchObject({ state: 'closed', openedAt: null });
  });

  it('changes no prompt that is not due', () => {
    expect(advanceSchedule([prompt(5, 10), prompt(null, null)], at(4))).toEqual([]);
  });

  it('opens the older prompt first if two are due at the same time', () => {
    const [first, second] = [prompt(5, null), prompt(5, null)] as [Prompt, Prompt];
    const younger = { ...first, createdAt: at(1) };
    const activeOf = (...open: Prompt[]) => advanceSchedule(open, at(5)).find(({ state }) => state === 'active')?.id;
    expect([activeOf(first, second), activeOf(second, first)]).toEqual([second.id, second.id]);
    expect([activeOf(younger, second), activeOf(second, younger)]).toEqual([younger.id, younger.id]);
  });

  it('closes before it opens if both are due at the same time', () => {
    const active = { ...(openPrompt(prompt(null, 5), undefined, byEditor)[0] as Prompt), createdAt: at(3) };
    const next = prompt(5, null);
    const end = { to: 'closed', at: at(5), actor: 'contributions/clock', reason: '' };
    for (const open of [
      [active, next],
      [next, active],
    ]) {
      const ended = advanceSchedule(open, at(5)).find(({ id }) => id === active.id);
      expect(ended?.history.at(-1)).toMatchObject(end);
      expect(ended).toMatchObject({ closesAt: at(5), revision: 3 });
    }
  });

  it('gives the same result in one step or in several, with at most one active prompt at any time', () => {
    const times = fc.option(fc.integer({ min: 1, max: 20 }), { nil: null });
    const plan = fc
      .tuple(times, times)
      .filter(([opens, closes]) => opens === null || closes === null || opens < closes);
    fc.assert(
      fc.property(fc.array(plan, { maxLength: 6 }), fc.uniqueArray(fc.integer({ min: 1, max: 25 })), (plans, steps) => {
        const start = plans.map(([opens, closes]) => prompt(opens, closes));
        let stepwise = start;
        for (const minute of [...steps.sort((a, b) => a - b), 25]) {
          stepwise = apply(stepwise, at(minute));
          expect(stepwise.filter(({ state }) => state === 'active').length).toBeLessThanOrEqual(1);
        }
        expect(stepwise).toEqual(apply(start, at(25)));
      }),
    );
  });
});
