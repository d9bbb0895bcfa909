import { randomUUID } from 'node:crypto';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, expect, it } from 'vitest';
import { newToken } from '../domain/token.js';
import { tokenDocument, tokensOf } from './documents.js';
import { createTransitionLog } from './transitions.js';

const mongo = openTestDatabase('transitions');
afterAll(() => mongo.close());

it('takes each transition once, at positions without gaps, while three replicas collect and others write', async () => {
  const tokens = tokensOf(mongo.db);
  const write = async (): Promise<void> => {
    for (let at = 0; at < 60; at++) {
      const names = {
        id: randomUUID(),
        authorizationId: randomUUID(),
        lineId: randomUUID(),
        email: 'a@b.c',
        agentName: 'x',
        scopes: [],
      };
      const token = newToken({ hash: randomUUID(), ...names }, { actor: 'x', at: new Date(), reason: '' });
      await tokens.insertOne(tokenDocument(token));
      const again = { from: 'active', to: 'revoked', actor: 'x', at: new Date(), reason: '', revision: 2 };
      await tokens.updateOne({ _id: token.hash }, { $push: { history: again }, $set: { logSince: new Date() } });
    }
  };
  let writing = true;
  const collect = async (): Promise<void> => {
    const log = createTransitionLog(mongo.db);
    const { signal } = new AbortController();
    while (writing || (await log.collect(signal))) await log.collect(signal);
  };
  await Promise.all([
    Promise.all([write(), write()]).finally(() => {
      writing = false;
    }),
    collect(),
    collect(),
    collect(),
  ]);

  const entries = await createTransitionLog(mongo.db).read(0, 1000, new AbortController().signal);
  expect(entries.map(({ position }) => position)).toEqual(Array.from({ length: 240 }, (_, at) => at + 1));
  const named = entries.map(({ id, revision }) => `${id} ${revision}`);
  expect(new Set(named).size).toBe(240);
  for (const { id } of entries) expect(named.indexOf(`${id} 1`)).toBeLessThan(named.indexOf(`${id} 2`));
  expect(await tokens.countDocuments({ logSince: { $type: 'date' } })).toBe(0);
});
