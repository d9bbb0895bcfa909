import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.js';
import type { Embedder } from './embedder.js';
import { type AskOutcome, createQueryVectors } from './query-vectors.js';

const vector = Float32Array.of(1);

function open(embed: Embedder['embed'], limitMs = 1000) {
  const outcomes: AskOutcome[] = [];
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: unknown, message: string) => void warnings.push(message) };
  const queries = createQueryVectors({
    ...{ embedder: { model: 'm', embed }, limitMs, log: log as never, breaker: createBreaker() },
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { queries, outcomes, warnings };
}

describe('the vector of a query', () => {
  it('is asked for once, also by searches at the same time, and then remembered', async () => {
    let calls = 0;
    const { queries, outcomes } = open(async () => [(calls++, vector)].map(() => vector));
    await Promise.all([queries.of('a'), queries.of('a')]);
    expect(await queries.of('a')).toBe(vector);
    expect(calls).toBe(1);
    expect(outcomes).toEqual(['answered', 'answered', 'cached']);
  });

  it('is not waited for longer than the limit, and is there for the next search', async () => {
    let give = (): void => undefined;
    const { queries, outcomes } = open(() => new Promise((resolve) => (give = () => resolve([vector]))), 20);
    expect(await queries.of('a')).toBeUndefined();
    give();
    expect(await queries.of('a')).toBe(vector);
    expect(outcomes[0]).toBe('late');
  });

  it('is not asked for after failures in a row, and the failures are logged once', async () => {
    let calls = 0;
    const { queries, outcomes, warnings } = open(async () => Promise.reject(new Error(`${calls++}`)));
    for (let at = 0; at < 20; at++) expect(await queries.of(`${at}`)).toBeUndefined();
    expect(calls).toBe(5);
    expect(outcomes.filter((outcome) => outcome === 'not_asked')).toHaveLength(15);
    expect(warnings).toHaveLength(1);
  });

  it('is asked for in at most eight calls at once', async () => {
    let [running, most] = [0, 0];
    const wakes: (() => void)[] = [];
    const { queries } = open(async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => wakes.push(resolve));
      running--;
      return [vector];
    }, 10_000);
    const all = Promise.all(Array.from({ length: 30 }, (_, at) => queries.of(`${at}`)));
    let isDone = false;
    void all.then(() => (isDone = true));
    while (!isDone) {
      wakes.shift()?.();
      await new Promise(setImmediate);
    }
    expect((await all).every((each) => each === vector)).toBe(true);
    expect(most).toBe(8);
  });

  it('ends with the process', async () => {
    const { queries } = open(async (_, signal) => {
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason;
    }, 60_000);
    const asked = queries.of('a');
    queries.close();
    expect(await asked).toBeUndefined();
    expect(await queries.of('b')).toBeUndefined();
  });
});
