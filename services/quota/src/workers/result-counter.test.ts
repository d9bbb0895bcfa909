import { createLogger } from '@knowledge/runtime';
import { createMetrics } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { grantedAt, refusedBy } from '../domain/decision.js';
import { createPolicies } from '../domain/policy.js';
import { startResultCounter } from './result-counter.js';

const log = createLogger({ name: 'test', level: 'silent' });

it('begins the counters of faults at 0, so that an alert on their rate sees the first one', async () => {
  const metrics = createMetrics('quota');
  const days = { add: async () => undefined, list: async () => new Map() };
  await startResultCounter({ metrics, days, now: Date.now, log }).close();
  const { body } = await metrics.expose();
  for (const outcome of ['invalid', 'undecided'])
    expect(body).toMatch(new RegExp(`decisions_total\\{.*outcome="${outcome}".*\\} 0\n`));
});

it('counts a subject once, when it takes its last unit, and no limit that is off', async () => {
  const { read_client_id: policy, read_address_cap: off } = createPolicies({
    anonymousPerAddress: 0,
    authorizePerAddress: 0,
    authorizePerDomain: 0,
    authorizePerHour: 0,
  });
  const window = Date.UTC(2026, 5, 1);
  const stored: [string, Record<string, number>][] = [];
  const days = {
    add: async (day: string, subjects: ReadonlyMap<string, number>) => {
      stored.push([day, Object.fromEntries(subjects)]);
    },
    list: async () => new Map(),
  };
  const metrics = createMetrics('quota');
  const results = startResultCounter({ metrics, days, now: () => window + 1, log, pauseMs: 60_000 });
  const units = [1, 2, 3].map((position) => grantedAt(policy, { window }, position));
  results.count([...units, refusedBy(policy, { window }), grantedAt(off, { window }, 1)]);
  results.count([grantedAt(policy, { window }, 3)]);
  await results.close();
  expect(stored).toEqual([['2026-06-01', { read_client_id: 2 }]]);
});
