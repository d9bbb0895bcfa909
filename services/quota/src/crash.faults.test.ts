import { randomUUID } from 'node:crypto';
import { type Closable, closeAll } from '@knowledge/runtime';
import { openTestDatabase, quietEnvironment, startServiceProcess } from '@knowledge/runtime/testing';
import { afterAll, expect, it } from 'vitest';
import { start } from './service.js';
import { type CounterDocument, countersName } from './store/schema.js';
import {
  addressCap,
  callOf,
  clientRead,
  connectTestClients,
  summary,
  type TestClients,
  wireItem,
} from './testing/clients.js';

const mongo = openTestDatabase('quota_crash');
const opened: Closable[] = [mongo];
afterAll(async () => {
  // A killed process leaves the locks of its transaction for a minute. They would prevent dropping the database.
  await mongo.client.db('admin').command({ killAllSessions: [] });
  await closeAll(opened);
});

/**
 * If a process is killed while it counts, no acknowledged grant is lost. A retry with the same id is counted once. The
 * test kills the built process (`npm run build`) with SIGKILL.
 */
it('kill -9 under load: stays within the limit, stores every acknowledged grant, decides every retry', async () => {
  const limits = { QUOTA_ANONYMOUS_PER_ADDRESS: '100' };
  const survivor = await start({ ...quietEnvironment(mongo.db), ...limits });
  opened.push(survivor);
  await survivor.ready;
  const other = await connectTestClients(survivor.address);
  opened.push(other);

  for (let round = 0; round < 3; round++) {
    const victim = await startServiceProcess('quota', mongo.db.databaseName, limits);
    opened.push(victim);
    const clients = await connectTestClients(victim.address);
    opened.push(clients);

    // Half of the readers also have a ceiling, which transactions decide. Each reader sends 5 requests for a limit of 3.
    const asked = Array.from({ length: 600 }, (_, at) => {
      const reader = `crash-${round}-${at % 120}`;
      const charges = at % 2 === 0 ? [clientRead(reader)] : [clientRead(reader), addressCap(`10.0.${round}.${at % 4}`)];
      return { reader, item: wireItem(randomUUID(), ...charges) };
    });
    const answers = new Map<string, string>();
    let answered = 0;
    // 100 requests are open at a time. So there is an unanswered request at every kill, also where answers come in one go.
    const waiting = asked.values();
    const caller = async () => {
      for (const { item } of waiting) {
        const answer = await consume(clients, item);
        answers.set(item.id, answer);
        if (answer !== 'unavailable' && ++answered === 60 + round * 100) await victim.kill();
      }
    };
    await Promise.all(Array.from({ length: 100 }, caller));
    await victim.kill();
    const unknown = asked.filter(({ item }) => answers.get(item.id) === 'unavailable');
    expect(unknown.length).toBeGreaterThan(0);
    const acknowledged = new Set([...answers].filter(([, answer]) => answer.startsWith('granted')).map(([id]) => id));

    const begun = Date.now();
    for (const { item } of unknown) {
      let answer = await consume(other, item);
      while (answer === 'unavailable' && Date.now() - begun < 30_000) answer = await consume(other, item);
      answers.set(item.id, answer);
    }
    expect([...answers.values()].filter((answer) => answer === 'unavailable')).toEqual([]);

    const stored = await grantsByKey();
    const granted = new Set([...answers].filter(([, answer]) => answer.startsWith('granted')).map(([id]) => id));
    for (const id of acknowledged) expect(granted.has(id)).toBe(true);
    const own = [...stored].filter(([key]) => key.startsWith('read_client_id:'));
    expect(own.every(([, grants]) => grants.length <= 3)).toBe(true);
    const kept = new Set(own.flatMap(([, grants]) => grants));
    for (const id of granted) expect(kept.has(id)).toBe(true);
    // No reader with an allowance was refused, and every charge belongs to a granted request.
    expect(granted.size).toBe(120 * 3);
    const capped = asked.filter(({ item }) => item.charges.length === 2 && granted.has(item.id));
    const underCap = new Set(
      [...stored].filter(([key]) => key.startsWith('read_address_cap:')).flatMap(([, ids]) => ids),
    );
    for (const { item } of capped) expect(underCap.has(item.id)).toBe(true);
  }
}, 120_000);

async function consume(clients: TestClients, item: ReturnType<typeof wireItem>): Promise<string> {
  try {
    const { results } = await clients.quota.consume(callOf(item), { requestId: 'test', deadline: Date.now() + 1500 });
    return results[0] === undefined ? 'none' : summary(results[0]);
  } catch {
    return 'unavailable';
  }
}

async function grantsByKey(): Promise<Map<string, string[]>> {
  const documents = await mongo.db.collection<CounterDocument>(countersName).find().toArray();
  return new Map(documents.map(({ _id, grants }) => [_id, grants]));
}
