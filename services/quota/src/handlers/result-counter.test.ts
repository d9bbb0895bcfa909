import { createMetrics } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { createResultCounter } from './consume.js';

it('begins the counters of faults at 0, so that an alert on their rate sees the first one', async () => {
  const metrics = createMetrics('quota');
  createResultCounter(metrics);
  const { body } = await metrics.expose();
  for (const outcome of ['invalid', 'undecided'])
    expect(body).toMatch(new RegExp(`decisions_total\\{.*outcome="${outcome}".*\\} 0\n`));
});
