import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceSchedule, createPrompt, openPrompt, type Prompt } from './prompt.js';

const epoch = Date.UTC(2026, 0, 1);
const at = (minute: number): Date => new Date(epoch + minute * 60_000);
const act = { actor: 'editor', at: at(0), reason: '' };
let made = 0;

function prompt(opensAt: number | null, closesAt: number | null): Prompt {
  const id = `00000000-0000-4000-8000-${String(made++).padStart(12, '0')}`;
  const fields = { id, site: 'org' as const, question: 'What did you learn from it?', activate: false };
  const opens = opensAt === null ? null : at(opensAt);
  const closes = closesAt === null ? null : at(closesAt);
  return createPrompt({ ...fields, opensAt: opens, closesAt: closes }, act);
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
    const first = openPrompt(prompt(null, null), undefined, act)[0] as Prompt;
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
    for (const open of [
      [first, second],
      [second, first],
    ])
      expect(advanceSchedule(open, at(5)).find(({ state }) => state === 'active')?.id).toBe(second.id);
    for (const open of [
      [younger, second],
      [second, younger],
    ])
      expect(advanceSchedule(open, at(5)).find(({ state }) => state === 'active')?.id).toBe(younger.id);
  });

  it('closes before it opens if both are due at the same time', () => {
    const active = { ...(openPrompt(prompt(null, 5), undefined, act)[0] as Prompt), createdAt: at(3) };
    for (const open of [
      [active, prompt(5, null)],
      [prompt(5, null), active],
    ]) {
      const ended = advanceSchedule(open, at(5)).find(({ id }) => id === active.id);
      expect(ended?.history.at(-1)).toMatchObject({
        to: 'closed',
        at: at(5),
        actor: 'contributions/clock',
        reason: '',
      });
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
