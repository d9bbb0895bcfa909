import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRaw } from '../harness/raw-connection.js';
import { type System, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { startWebDesk, type WebDesk } from '../harness/web-desk.js';

let system: System;
let desk: WebDesk;
beforeAll(async () => {
  system = await startSystem();
  desk = await startWebDesk(system, { MAX_CONNECTIONS: '20', CONNECTIONS_PER_ADDRESS: '10' });
});
afterAll(async () => {
  await desk?.close();
  await system?.close();
});

test('idle connections of one address lock nobody out, and make room for its next one', async () => {
  const head = `GET /sign-in HTTP/1.1\r\nHost: ${new URL(desk.url).host}\r\n\r\n`;
  const ask = async (from: string) => {
    const connection = await openRaw(desk.url, from);
    connection.write(head);
    await until('an answer', () => connection.statuses().length > 0 || connection.over());
    return connection;
  };
  const rude = [];
  for (let at = 0; at < 30; at += 1) rude.push(await ask('127.0.0.1'));
  expect((await ask('127.0.0.2')).statuses()).toEqual([200]);
  await until('room for the address', async () => (await ask('127.0.0.1')).statuses()[0] === 200);
  for (const { socket } of rude) socket.destroy();
});
