import fc from 'fast-check';
import { expect } from 'vitest';
import { bearer, call, expectFailure } from '../../harness/http.js';
import type { System } from '../../harness/system.js';
import type { Model } from './model.js';
import { gateway, pick, steps, which } from './step.js';

/** Agents with and without a token read articles (gateway/PROTOCOL.md#read-quota). */
export const read = steps<{ reader: number; gateway: number; how: 'GET' | 'HEAD' | 'known' | 'unknown' }>('read', {
  args: { reader: which(), gateway: gateway(), how: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'known', 'unknown') },
  run: async (model, system, { reader, gateway, how }) => {
    const { subject, headers, valid } = pick(readersOf(model), reader);
    const slug = how === 'unknown' ? 'no-such-note' : 'field-note-1';
    const url = `${system.gateways[gateway]}/api/v1/content/${slug}?site=org`;
    if (!valid) {
      expectFailure(await call(url, { headers }), 401, 'invalid_token');
      return;
    }
    const left = model.left(subject);
    switch (how) {
      case 'unknown':
        expectFailure(await call(url, { headers }), 404, 'not_found');
        break;
      case 'HEAD':
      case 'known': {
        const head = await call(url, { method: 'HEAD', headers });
        const again = await call(url, { headers: { ...headers, 'if-none-match': head.headers.get('etag') ?? '' } });
        expect([head.status, again.status]).toEqual([200, 304]);
        expect(head.headers.get('x-ratelimit-limit') ?? again.headers.get('x-ratelimit-limit')).toBeNull();
        break;
      }
      case 'GET': {
        const answer = await call(url, { headers });
        if (left > 0) {
          expect([answer.status, answer.json.article?.slug]).toEqual([200, slug]);
          model.charge(subject);
        } else expectFailure(answer, 429, 'read_quota_exceeded');
        const seen = ['limit', 'remaining'].map((each) => Number(answer.headers.get(`x-ratelimit-${each}`)));
        expect(seen).toEqual([model.limit(subject), model.left(subject)]);
      }
    }
    await expectLeft(model, system, subject, headers, 1 - gateway);
  },
});

async function expectLeft(
  model: Model,
  system: System,
  subject: string,
  headers: Record<string, string>,
  gateway: number,
): Promise<void> {
  const { json } = await call(`${system.gateways[gateway]}/api/v1/agent/quota`, { headers });
  expect([json.quota.limit, json.quota.remaining]).toEqual([model.limit(subject), model.left(subject)]);
}

function readersOf({ clientIds, holders }: Model) {
  return [
    ...clientIds.map((subject) => ({ subject, headers: { 'x-agent-client-id': subject }, valid: true })),
    ...holders.map(({ email, token, state }) => ({
      subject: email,
      // With a token, the client id is ignored.
      headers: { ...bearer(token), 'x-agent-client-id': clientIds[0] ?? '' },
      valid: state !== 'revoked',
    })),
  ];
}
