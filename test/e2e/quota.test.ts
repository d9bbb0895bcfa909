import { randomUUID } from 'node:crypto';
import { Policy } from '@knowledge/proto/knowledge/quota/v1/quota';
import { describe, expect, test } from 'vitest';
import { untilRefused } from '../harness/agent.js';
import { bearer, call, expectFailure, freshReader, type HttpResponse } from '../harness/http.js';
import { seedReading } from '../harness/reading.js';
import { asTester, sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const read = (headers: Record<string, string>, slug = 'field-note-1', gateway = 0) =>
  call(`${system.gateways[gateway]}/api/v1/content/${slug}?site=org`, { headers });
const remaining = (answer: HttpResponse) => answer.headers.get('x-ratelimit-remaining');

const system = await sharedSystem();
await seedReading(system);

describe('subjects of the read quota', () => {
  test('a client id reads three a day, then 429 read_quota_exceeded with the headers and without Retry-After', async () => {
    const reader = freshReader();
    for (const left of ['2', '1', '0']) {
      const answer = await read(reader);
      expect([answer.status, remaining(answer), answer.headers.get('x-ratelimit-limit')]).toEqual([200, left, '3']);
    }
    const refused = await read(reader);
    expectFailure(refused, 429, 'read_quota_exceeded');
    expect([remaining(refused), refused.headers.get('x-ratelimit-limit')]).toEqual(['0', '3']);
    const midnight = Math.floor(Date.now() / 86_400_000 + 1) * 86_400;
    expect(refused.headers.get('x-ratelimit-reset')).toBe(String(midnight));
    expect(refused.headers.has('retry-after')).toBe(false);
    expect(refused.json.message).toContain(`begins at ${new Date(midnight * 1000).toISOString().slice(0, 19)}Z`);
  });

  test('a verified e-mail reads ten a day with all its tokens, ignoring case and plus-tag', async () => {
    const name = randomUUID();
    const tokens = [
      await system.issueToken(`${name}@example.org`),
      await system.issueToken(`${name.toUpperCase()}+x@EXAMPLE.org`),
    ];
    for (let at = 0; at < 10; at += 1) {
      const answer = await read({ authorization: `Bearer ${tokens[at % 2]}` });
      expect([answer.status, remaining(answer)]).toEqual([200, String(9 - at)]);
    }
    for (const token of tokens)
      expectFailure(await read({ authorization: `bearer ${token}` }), 429, 'read_quota_exceeded');
  });

  test('reads on both sites use the same quota', async () => {
    const reader = freshReader();
    await read(reader);
    const io = await call(`${system.url}/api/v1/content/postmortem-1?site=io`, { headers: reader });
    expect(remaining(io)).toBe('1');
  });

  test('without a client id, reads are counted for the address, three a day', async () => {
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push((await read({})).status);
    expect(answers).toEqual([200, 200, 200, 429]);
    expectFailure(await read({ 'x-forwarded-for': '203.0.113.9' }), 429, 'read_quota_exceeded');
    const named = await read({ 'x-agent-client-id': 'i:127.0.0.1' });
    expect(named.status).toBe(200);
  });

  test.each(['', ' ', 'x'.repeat(121), 'tab\tinside', 'your-agent-name', 'undefined', '<name>'])(
    'the client id %j is a validation_error and costs nothing',
    async (id) => {
      expectFailure(await read({ 'x-agent-client-id': id }), 400, 'validation_error');
    },
  );

  test('a client id of 120 non-ASCII characters is one reader', async () => {
    const id = Buffer.from(`${'名'.repeat(83)}${randomUUID()}`, 'utf8').toString('latin1');
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push((await read({ 'x-agent-client-id': id })).status);
    expect(answers).toEqual([200, 200, 200, 429]);
  });
});

describe('counted requests', () => {
  test('50 parallel reads of a reader over two gateways get exactly the limit, for 40 readers', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 10 }, () => system.issueToken(`${randomUUID()}@example.org`)),
    );
    const readers = [
      ...Array.from({ length: 30 }, () => ({ headers: freshReader(), limit: 3 })),
      ...tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` }, limit: 10 })),
    ];
    for (let at = 0; at < readers.length; at += 10) {
      await Promise.all(
        readers.slice(at, at + 10).map(async ({ headers, limit }) => {
          const answers = await Promise.all(
            Array.from({ length: 50 }, (_, each) => read(headers, 'field-note-1', each % 2)),
          );
          const granted = answers.filter(({ status }) => status === 200);
          expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - limit);
          const lefts = granted.map((answer) => Number(remaining(answer))).sort((one, other) => other - one);
          expect(lefts).toEqual(Array.from({ length: limit }, (_, each) => limit - 1 - each));
        }),
      );
    }
  });

  test('exactly three parallel first reads of a new reader are all granted, for 100 readers', async () => {
    for (let at = 0; at < 10; at += 1) {
      const statuses = await Promise.all(
        Array.from({ length: 10 }, freshReader).flatMap((reader) =>
          [0, 1, 0].map(async (gateway) => (await read(reader, 'field-note-2', gateway)).status),
        ),
      );
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    }
  });
});

test('a revoked token is refused everywhere within 5 seconds', async () => {
  const email = `${randomUUID()}@example.org`;
  const token = await system.issueToken(email);
  const statuses = async () =>
    Promise.all([0, 1].map(async (at) => (await read(bearer(token), 'field-note-1', at)).status));
  expect(await statuses()).toEqual([200, 200]);
  const { tokens } = await system.clients.grantAdmin.listTokens({ email, pageSize: 0, pageToken: '' }, asTester());
  await system.clients.grantAdmin.revokeTokenById(
    { tokenId: tokens[0]?.id ?? '', reason: 'test', keepWaiting: false },
    asTester(),
  );
  await untilRefused(system, token);
  expect(await statuses()).toEqual([401, 401]);
});

test('the quota of a reader is bounded by what its address has left, and the refusal says whose limit it is', async () => {
  const setCap = (units: number | undefined) =>
    system.clients.quotaAdmin.setCeiling({ policy: Policy.READ_ADDRESS_CAP, units, reason: 'a test' }, asTester());
  await setCap(1);
  const reader = freshReader();
  const own = async () => (await call(`${system.url}/api/v1/agent/quota`, { headers: reader })).json.quota;
  await until('the cap to hold', async () => (await read(freshReader())).status === 429, 20_000);
  expect(await own()).toMatchObject({ subject: 'client_id', limit: 3, remaining: 0 });
  const words = /^All 1 article reads of this UTC day that your network address has for all/;
  expectFailure(await read(reader), 429, 'read_quota_exceeded', words);
  await setCap(undefined);
  await until('the cap to end', async () => (await own()).remaining === 3, 20_000);
});
