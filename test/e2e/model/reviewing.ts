import { randomUUID } from 'node:crypto';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import type { DecideRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import fc from 'fast-check';
import { expect } from 'vitest';
import { call } from '../../harness/http.js';
import { catalogOf } from '../../harness/reading.js';
import { asTester, type System } from '../../harness/system.js';
import { until } from '../../harness/until.js';
import type { Model, Review, Work } from './model.js';
import { pick, steps, which } from './step.js';

/** A moderator decides on any contribution, with the current revision, a stale one or none. */
const review = (kind: Review) =>
  steps<{ work: number; seen: 'any' | 'now' | 'stale' }>(kind, {
    args: { work: which(), seen: fc.constantFrom('any', 'any', 'now', 'stale') },
    possible: ({ works }) => works.length > 0,
    run: async (model, system, { work, seen }) => {
      const chosen = pick(model.works, work);
      const expectedRevision = { any: 0, now: chosen.revision, stale: chosen.revision + 1 }[seen];
      const outcome = await act(system, kind, chosen, expectedRevision).catch((error: unknown) => error);
      if (!model.review(chosen, kind, expectedRevision)) {
        expect(outcome).toMatchObject({ code: 'invalid_state' });
        return;
      }
      expect(outcome).not.toBeInstanceOf(Error);
      await expectObject(system, chosen);
    },
  });
export const reviewing = (
  [
    'approve',
    'approveAndPublish',
    'approveAndPublish',
    'publish',
    'retract',
    'reject',
    'reopen',
    'answer',
    'close',
  ] as const
).map(review);

/** Anybody reads all objects. Published objects are readable and in the catalog; all others are unknown. */
export const look = steps<object>('look', { args: {}, run: (model, system) => expectPublished(model, system) });

/** Checks that exactly the published contributions of the model can be read. */
export async function expectPublished({ works }: Model, system: System): Promise<void> {
  for (const work of works) await expectObject(system, work);
  const published = works.filter(({ state }) => state === 'published').map(({ id }) => id);
  const ours = new Set(works.map(({ id }) => id));
  for (const gateway of system.gateways) {
    const seen = await until('the catalog to be as it should', async () => {
      const listed = (await catalogOf(gateway)).filter((id) => ours.has(id));
      return [...listed].sort().join() === [...published].sort().join() && listed;
    });
    expect(new Set(seen).size).toBe(seen.length);
  }
}

async function expectObject(system: System, { id, state, type }: Work): Promise<void> {
  for (const gateway of system.gateways) {
    const url = `${gateway}/api/v1/objects/`;
    if (state === 'published') {
      const { json } = await until('the object', async () => {
        const answer = await call(url + id);
        return answer.status === 200 && answer;
      });
      expect([json.object.id, json.object.kind]).toEqual([id, type]);
      continue;
    }
    // The catalog removes a retracted object shortly after the decision, so the test waits.
    const gone = async () => {
      const answer = await call(url + id);
      return answer.status === 404 && answer;
    };
    const answer = await (state === 'retracted' ? until('the object to be gone', gone) : gone());
    expect(answer ? answer.text : undefined).toBe((await call(url + randomUUID())).text);
  }
}

function act({ clients: { moderation } }: System, kind: Review, { id }: Work, expectedRevision: number) {
  return moderation.decide({ id, expectedRevision, ...requests[kind] }, asTester());
}

const requests: Readonly<Record<Review, Pick<DecideRequest, 'decision' | 'reason' | 'text'>>> = {
  approve: { decision: Decision.APPROVE },
  approveAndPublish: { decision: Decision.APPROVE_AND_PUBLISH },
  publish: { decision: Decision.PUBLISH },
  retract: { decision: Decision.RETRACT, reason: 'A name was named.' },
  reject: { decision: Decision.REJECT, reason: 'Too short.' },
  reopen: { decision: Decision.REOPEN },
  answer: { decision: Decision.ANSWER, text: 'In small steps.' },
  close: { decision: Decision.CLOSE },
};
