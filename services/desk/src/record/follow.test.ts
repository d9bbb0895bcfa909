import { expect, it } from 'vitest';
import { type EventWithCursor, mergeByTime } from './follow.js';

const at = (service: string, second: number): EventWithCursor =>
  ({ event: { service, occurred_at: new Date(second * 1000).toISOString() }, cursor: String(second) }) as never;

it('emits past events of all logs in the order of their time, and new events when they arrive', () => {
  const given: string[] = [];
  const merge = mergeByTime(['content', 'identity'], ({ cursor }) => void given.push(cursor));
  for (const second of [2, 5, 6]) void merge.push('content', at('content', second));
  expect(given).toEqual([]);
  void merge.push('identity', at('identity', 1));
  void merge.push('identity', at('identity', 4));
  expect(given).toEqual(['1', '2', '4']);
  merge.caughtUp('identity');
  expect(given).toEqual(['1', '2', '4', '5', '6']);
  merge.caughtUp('content');
  void merge.push('content', at('content', 9));
  void merge.push('identity', at('identity', 8));
  expect(given.slice(5)).toEqual(['9', '8']);
});

it('delays a log that is far ahead of the others', async () => {
  const merge = mergeByTime(['content', 'identity'], () => undefined);
  for (let second = 0; second < 499; second++) await merge.push('content', at('content', second));
  let through = false;
  const last = merge.push('content', at('content', 500)).then(() => {
    through = true;
  });
  await Promise.resolve();
  expect(through).toBe(false);
  merge.caughtUp('identity');
  await last;
  expect(through).toBe(true);
});
