import { randomUUID } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { submissionOf } from '../testing/texts.js';
import type { Contribution } from './contribution.js';
import type { Submission } from './submission.js';
import {
  chargeIdOf,
  type IdempotencySlots,
  idempotencySlots,
  keyLivesMs,
  payloadLivesMs,
  type SlotResult,
  type SubmissionStore,
  type SubmitParts,
  slotKeptMs,
  submit,
} from './submit.js';

const epoch = Date.UTC(2026, 5, 1, 12);

/** Implements the rules of slots in memory. A test in `store` checks the same rules with MongoDB. */
function inMemory() {
  const contributions = new Map<string, Contribution>();
  const slots = new Map<string, { by: string; payloadHash: string; expiresAt: number }>();
  const charged = new Set<string>();
  const kept = new Set<string>();
  const submissions: SubmissionStore = {
    async look(submission, { deciding }, { now }): Promise<SlotResult> {
      const self = contributions.get(submission.id);
      if (self !== undefined) return { kind: 'taken', by: self };
      const slot = slots.get(deciding);
      if (slot === undefined) return { kind: 'free', previous: undefined };
      if (slot.expiresAt <= now.getTime()) return { kind: 'free', previous: slot.by };
      if (slot.payloadHash !== submission.payloadHash) return { kind: 'conflict' };
      const by = contributions.get(slot.by) as Contribution;
      const withdrawn = submission.idempotencyKey === undefined && by.state === 'withdrawn';
      return withdrawn ? { kind: 'free', previous: slot.by } : { kind: 'taken', by };
    },
    async record(contribution, { payloadHash, idempotencyKey }, { deciding, payload }, previous, { now }) {
      if (slots.get(deciding)?.by !== previous) return undefined;
      const taken = (livesMs: number) => ({ by: contribution.id, payloadHash, expiresAt: now.getTime() + livesMs });
      slots.set(payload, taken(payloadLivesMs));
      slots.set(deciding, taken(idempotencyKey === undefined ? payloadLivesMs : keyLivesMs));
      contributions.set(contribution.id, contribution);
      return contribution;
    },
  };
  const needs: SubmitParts = {
    // The queue does not wait, as if each submission came to a different process.
    queue: { run: (_key, _signal, work) => work() },
    operatorName: '',
    siteUrls: [],
    submissions,
    limit: { take: async (id) => void charged.add(id), keep: (id) => void kept.add(id) },
    activePrompt: async () => undefined,
    findText: async (text) => (text.id === 'known' ? { ...text, title: 'A known article' } : undefined),
  };
  return { needs, contributions, charged, kept };
}

function inquiry(fields: Partial<Submission> = {}): Submission {
  return submissionOf({ type: 'inquiry', title: undefined, body: 'How do you roll this out?', ...fields });
}

function call(afterMs = 0) {
  const now = new Date(epoch + afterMs);
  const { signal } = new AbortController();
  return { now, signal, deadline: Number.POSITIVE_INFINITY, requestId: 'test', traceparent: undefined };
}

describe('submit', () => {
  it('makes one contribution and one charge from equal submissions, in any order and after crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('lives', 'dies'), { minLength: 2, maxLength: 6 }),
        fc.boolean(),
        async (scheduler, fates, keyed) => {
          const { needs, contributions, charged, kept } = inMemory();
          const step = <T>(run: () => Promise<T>) => scheduler.schedule(Promise.resolve()).then(run);
          const over = (fate: string): SubmitParts => ({
            ...needs,
            submissions: {
              look: (...args) => step(() => needs.submissions.look(...args)),
              record: (...args) =>
                step(() => {
                  if (fate === 'dies') throw new Error('killed before the store');
                  return needs.submissions.record(...args);
                }),
            },
            limit: { take: (...args) => step(() => needs.limit.take(...args)), keep: needs.limit.keep },
          });
          const idempotencyKey = keyed ? 'key' : undefined;
          const racing = fates.map((fate) => submit(inquiry({ idempotencyKey }), call(), over(fate)));
          const ended = Promise.allSettled(racing);
          await scheduler.waitFor(ended);
          const retried = await submit(inquiry({ idempotencyKey }), call(), needs);
          const answers = (await ended).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
          expect(contributions.size).toBe(1);
          expect(charged.size).toBe(1);
          expect(kept).toEqual(charged);
          expect(new Set([...answers, retried].map(({ contribution }) => contribution.id)).size).toBe(1);
          expect([...answers, retried].filter(({ replayed }) => !replayed)).toHaveLength(1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('returns the first response again in any later state of the contribution', async () => {
    const { needs, contributions } = inMemory();
    const first = await submit(inquiry({ idempotencyKey: 'k' }), call(), needs);
    const { id } = first.contribution;
    const answered = { ...first.contribution, state: 'answered' as const, answer: 'So.', revision: 2 };
    contributions.set(id, { ...answered, updatedAt: new Date(epoch + 5000), reviewedAt: new Date(epoch + 5000) });
    const again = await submit(inquiry({ idempotencyKey: 'k' }), call(keyLivesMs - 1), needs);
    expect(again).toEqual({ contribution: first.contribution, replayed: true });
  });

  it('does not count a retry after a lost response as a replay', async () => {
    const { needs } = inMemory();
    const submission = inquiry();
    const first = await submit(submission, call(), needs);
    expect(await submit(submission, call(), needs)).toEqual(first);
  });

  it('without a key recognises equal payloads for two minutes, also of a submission with a key, but not a withdrawn one', async () => {
    const { needs, contributions, charged } = inMemory();
    const first = await submit(inquiry({ idempotencyKey: 'k' }), call(), needs);
    expect((await submit(inquiry(), call(payloadLivesMs - 1), needs)).contribution.id).toBe(first.contribution.id);
    const second = await submit(inquiry(), call(payloadLivesMs), needs);
    expect(second.replayed).toBe(false);
    contributions.set(second.contribution.id, { ...second.contribution, state: 'withdrawn' });
    const third = await submit(inquiry(), call(payloadLivesMs + 1), needs);
    expect(third.replayed).toBe(false);
    expect(contributions.size).toBe(3);
    expect(charged.size).toBe(3);
  });

  it('leaves the key unused if the limit refuses, and replays even if the limit is reached', async () => {
    const { needs } = inMemory();
    const usedUp: SubmitParts = {
      ...needs,
      limit: { take: () => Promise.reject(new KnowledgeError('rate_limited', 'used up')), keep: () => undefined },
    };
    const refused = submit(inquiry({ idempotencyKey: 'k' }), call(), usedUp);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited' });
    const other = inquiry({ idempotencyKey: 'k', payloadHash: 'cd'.repeat(32) });
    const taken = await submit(other, call(), needs);
    const again = await submit({ ...other, id: randomUUID() }, call(), usedUp);
    expect(again).toEqual({ ...taken, replayed: true });
  });
});

describe('a submission', () => {
  const rejection = (submission: Submission, needs: SubmitParts, at = call()) =>
    submit(submission, at, needs).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('with invalid fields is refused before anything is charged', async () => {
    const { needs, charged } = inMemory();
    expect(await rejection(inquiry({ body: '' }), needs)).toMatchObject({ code: 'validation_error' });
    const named = inquiry({ name: 'Example GmbH' });
    expect(await rejection(named, { ...needs, operatorName: 'Example GmbH' })).toMatchObject({
      code: 'validation_error',
    });
    const linked = inquiry({ body: 'See https://k.example/access?key=x.' });
    expect(await rejection(linked, { ...needs, siteUrls: ['https://k.example'] })).toMatchObject({
      code: 'validation_error',
    });
    expect(charged.size).toBe(0);
  });

  it('about a text that is not published is refused, and a replay shows the title of the first time', async () => {
    const { needs, charged } = inMemory();
    const about = { site: 'org', kind: 'article', id: 'unknown' } as const;
    const report = inquiry({ purpose: 'report', about });
    await expect(submit(report, call(), needs)).rejects.toMatchObject({
      code: 'validation_error',
      message: 'about must be a published text: there is no article unknown on org.',
    });
    expect(charged.size).toBe(0);
    const known = inquiry({ purpose: 'report', about: { ...about, id: 'known' } });
    const first = await submit(known, call(), needs);
    expect(first.contribution).toMatchObject({ purpose: 'report', about: { id: 'known', title: 'A known article' } });
    const withoutText = { ...needs, findText: async () => undefined };
    const again = await submit({ ...known, id: randomUUID() }, call(), withoutText);
    expect(again).toEqual({ contribution: first.contribution, replayed: true });
  });

  it('with a used key is refused, and the error names the time for which a key is remembered', async () => {
    const { needs } = inMemory();
    await submit(inquiry({ idempotencyKey: 'k' }), call(), needs);
    const other = inquiry({ idempotencyKey: 'k', payloadHash: 'cd'.repeat(32) });
    expect(await rejection(other, needs)).toMatchObject({
      code: 'idempotency_conflict',
      message:
        'This Idempotency-Key was used with another payload in the last 24 hours; take a new key for a new contribution.',
    });
  });

  it('stops if its caller has disconnected', async () => {
    const { needs, charged } = inMemory();
    const gone = { ...call(), signal: AbortSignal.abort(new Error('gone')) };
    expect(await rejection(inquiry(), needs, gone)).toEqual(new Error('gone'));
    expect(charged.size).toBe(0);
  });

  it('waits in the queue of its deciding slot, and then in that of its agent', async () => {
    const { needs } = inMemory();
    const keys: string[] = [];
    const queue: SubmitParts['queue'] = {
      run(key, _signal, work) {
        keys.push(key);
        return work();
      },
    };
    const submission = inquiry({ idempotencyKey: 'k' });
    await submit(submission, call(), { ...needs, queue });
    expect(keys).toEqual([idempotencySlots(submission).deciding, submission.contributor.authorizationId]);
  });

  it('reads the active prompt of the site only for a reply', async () => {
    const { needs } = inMemory();
    const sites: string[] = [];
    const activePrompt: SubmitParts['activePrompt'] = async (site) => void sites.push(site);
    await submit(inquiry(), call(), { ...needs, activePrompt });
    expect(sites).toEqual([]);
    const contributor = { ...inquiry().contributor, scopes: ['write:prompt_reply'] };
    const reply = inquiry({ type: 'prompt_reply', contributor, payloadHash: 'cd'.repeat(32) });
    expect(await rejection(reply, { ...needs, activePrompt })).toMatchObject({ code: 'no_active_prompt' });
    expect(sites).toEqual(['org']);
  });
});

it('remembers a key for a day and a payload for two minutes, and stores a slot for longer than a day', () => {
  expect([keyLivesMs, payloadLivesMs, slotKeptMs]).toEqual([86_400_000, 120_000, 259_200_000]);
});

it('gives each authorization, key and payload its own slot', () => {
  const { contributor } = inquiry();
  const other = { ...contributor, authorizationId: 'a2' };
  const all = [
    idempotencySlots(inquiry({ idempotencyKey: 'k' })),
    idempotencySlots(inquiry({ idempotencyKey: 'l', payloadHash: 'cd'.repeat(32) })),
    idempotencySlots(inquiry({ idempotencyKey: 'k', contributor: other })),
  ].flatMap(({ deciding, payload }) => [deciding, payload]);
  expect(new Set(all).size).toBe(6);
  const plain = idempotencySlots(inquiry());
  expect(plain.deciding).toBe(plain.payload);
  const keyedLikeThePayload = idempotencySlots(inquiry({ idempotencyKey: inquiry().payloadHash }));
  expect(keyedLikeThePayload.deciding).not.toBe(keyedLikeThePayload.payload);
});

describe('chargeIdOf', () => {
  const slots: IdempotencySlots = idempotencySlots(inquiry());

  it('is a UUID, equal for equal submissions, and different after each contribution', () => {
    const ids = [chargeIdOf(slots, undefined), chargeIdOf(slots, 'a'), chargeIdOf(slots, 'b')];
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(3);
    expect(chargeIdOf(idempotencySlots(inquiry()), undefined)).toBe(ids[0]);
  });
});
