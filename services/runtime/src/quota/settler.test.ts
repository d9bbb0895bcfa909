import type { Settlement } from '@knowledge/proto/knowledge/quota/v1/quota';
import { expect, it, vi } from 'vitest';
import { createSettler } from './index.js';

const settlement = (id: string): Settlement => ({ lease: { id, turn: 1 }, undelivered: [] });

it('repeats a settlement until the response arrives, and waits for it when it closes', async () => {
  const sent: string[][] = [];
  const settler = createSettler(async (settlements) => {
    sent.push(settlements.map(({ lease }) => lease?.id ?? ''));
    if (sent.length < 3) throw new Error('no answer');
  });
  settler.settle(settlement('a'));
  settler.settle(settlement('b'));
  await settler.close();
  expect(sent.flat().filter((id) => id === 'a').length).toBeGreaterThanOrEqual(2);
  expect(new Set(sent.flat())).toEqual(new Set(['a', 'b']));
});

it('sends a settlement at once while others still wait for their response', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const send = vi.fn(() => answered);
  const settler = createSettler(send);
  settler.settle(settlement('a'));
  await Promise.resolve();
  settler.settle(settlement('b'));
  await Promise.resolve();
  expect(send).toHaveBeenCalledTimes(2);
  answer();
  await settler.close();
});
