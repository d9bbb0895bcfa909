import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import { type Counter, decide, type Outcome } from '../domain/decision.js';
import type { Policy } from '../domain/policy.js';
import { type Charge, createCharge } from '../domain/subject.js';
import { itemOf, midnight, openTestQuotas } from '../testing/quotas.js';

let now = midnight;
const quotas = await openTestQuotas('quota_model');
const stores = [
  quotas.open({ now: () => now + 60_000 }).store,
  quotas.open({ now: () => now - 60_000 }).store,
] as const;

/** A random call with items of few subjects and ids, so that repeats and collisions are common. */
const call = fc.record({
  store: fc.constantFrom(0 as const, 1 as const),
  joint: fc.boolean(),
  limit: fc.constantFrom(1, 2, 3, 5, 50),
  ceiling: fc.constantFrom(1, 4, 60),
  after: fc.oneof(fc.constant(0), fc.nat({ max: 100_000 }), fc.nat({ max: 5_400_000 })),
  items: fc.array(fc.record({ subject: fc.nat({ max: 9 }), id: fc.nat({ max: 40 }), capped: fc.boolean() }), {
    minLength: 1,
    maxLength: 25,
  }),
});

/**
 * The model applies the rule of the domain item by item. The store uses pipelines, inserts and transactions, with
 * changing limits and two clocks. Its results and its stored counters must equal those of the model.
 */
it('every sequence of calls gives the results of the model', async () => {
  let history = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
      history++;
      const model = new Map<string, Counter>();
      for (const { store, joint, limit, ceiling, after, items } of calls) {
        now += after;
        const policy: Policy = { name: 'read_client_id', kind: 'client_id', limit, window: 'hour' };
        const cap: Policy = { name: 'read_address_cap', kind: 'address', limit: ceiling, window: 'hour' };
        const shared = createCharge(cap, { kind: 'address', value: `10.${history >> 8}.${history & 255}.1` });
        const asked = items.map(({ subject, id, capped }): ConsumeItem => {
          const own = createCharge(policy, { kind: 'client_id', value: `${history}-${subject}` });
          const charges: [Charge, ...Charge[]] = joint && capped ? [own, shared] : [own];
          return itemOf(charges, `$${id}`);
        });
        const consume = joint ? stores[store].consumeByTransaction : stores[store].consumeByPipeline;
        const answers = await consume(asked, Date.now() + 15_000);

        const clock = now + (store === 0 ? 60_000 : -60_000);
        const expected = asked.map(({ charges, id }): Outcome => {
          const { outcome, changed } = decide(charges, model, id, clock);
          for (const [key, counter] of changed) model.set(key, counter);
          return outcome;
        });
        expect(answers).toEqual(expected);
      }
      const kept = await stores[0].read([...model.keys()], AbortSignal.timeout(5000));
      expect(new Map([...kept].sort())).toEqual(new Map([...model].sort()));
    }),
    { numRuns: 150 },
  );
}, 60_000);
