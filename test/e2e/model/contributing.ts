import fc from 'fast-check';
import { expect } from 'vitest';
import { sendJson } from '../../harness/agent.js';
import { bearer, call, expectFailure } from '../../harness/http.js';
import type { Access, Model, WorkType } from './model.js';
import { gateway, pick, steps, which } from './step.js';

interface Contribute {
  holder: number;
  type: WorkType;
  site: 'io' | 'org';
  text: number;
  key: string | undefined;
  gateway: number;
}

/**
 * An agent contributes. There are only a few texts and keys, so many requests are replays
 * (gateway/PROTOCOL.md#replays).
 */
export const contribute = steps<Contribute>('contribute', {
  args: {
    holder: which(),
    type: fc.constantFrom('inquiry', 'story', 'story', 'prompt_reply'),
    site: fc.constantFrom('org', 'org', 'org', 'io'),
    text: fc.nat(2),
    key: fc.constantFrom(undefined, undefined, 'first', 'second'),
    gateway: gateway(),
  },
  possible: ({ holders }) => holders.length > 0,
  run: async (model, system, { holder, type, site, text, key, gateway }) => {
    const access = pick(model.holders, holder);
    const body = `What we learnt, part ${text}.`;
    const payload = { type, site, body, ...(type === 'story' && { title: 'What we learnt' }) };
    const headers = { ...bearer(access.token), ...(key !== undefined && { 'idempotency-key': key }) };
    const expected = model.expect(access, type, site, body, key);
    const answer = await sendJson('POST', `${system.gateways[gateway]}/api/v1/contributions`, payload, headers);
    if (expected.kind === 'failure') {
      expectFailure(answer, expected.status, expected.error);
      return;
    }
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get('idempotent-replayed')).toBe(expected.kind === 'replay' ? 'true' : null);
    if (expected.kind === 'replay') {
      expect(answer.json).toEqual({ ...JSON.parse(expected.work.answer), replayed: true });
      return;
    }
    const { id, state } = answer.json.contribution;
    expect(state).toBe('pending_review');
    expect(model.works.map((each) => each.id)).not.toContain(id);
    model.take({ id, access, type, answer: answer.text, state, revision: 1 }, site, body, key);
  },
});

/** An agent tries to withdraw its own contribution or that of another agent. */
export const withdraw = steps<{ holder: number; work: number; gateway: number }>('withdraw', {
  args: { holder: which(), work: which(), gateway: gateway() },
  possible: ({ holders, works }) => holders.length > 0 && works.length > 0,
  run: async (model, system, { holder, work, gateway }) => {
    const access = pick(model.holders, holder);
    const chosen = pick(model.works, work);
    const url = `${system.gateways[gateway]}/api/v1/contributions/${chosen.id}`;
    const answer = await call(url, { method: 'DELETE', headers: bearer(access.token) });
    if (access.state === 'revoked') expectFailure(answer, 401, 'invalid_token');
    else if (access !== chosen.access) expectFailure(answer, 404, 'not_found');
    else if (!['pending_review', 'withdrawn'].includes(chosen.state)) expectFailure(answer, 409, 'invalid_state');
    else {
      expect([answer.status, answer.json.contribution.state]).toEqual([200, 'withdrawn']);
      if (chosen.state !== 'withdrawn') chosen.revision += 1;
      chosen.state = 'withdrawn';
    }
  },
});

/** An agent lists its contributions. The list must have all of its own and none of others. */
export const follow = steps<{ holder: number; gateway: number }>('follow', {
  args: { holder: which(), gateway: gateway() },
  possible: (model) => liveOf(model).length > 0,
  run: async (model, system, { holder, gateway }) => {
    const access = pick(liveOf(model), holder);
    const { token } = access;
    const url = `${system.gateways[gateway]}/api/v1/contributions`;
    const { json } = await call(url, { headers: bearer(token) });
    const own = model.works.filter((work) => work.access === access);
    const seen = json.entries.map((entry: { id: string; type: string; state: string }) =>
      [entry.id, entry.type, entry.state].join(),
    );
    expect(json.total).toBe(own.length);
    expect(seen.sort()).toEqual(own.map(({ id, type, state }) => [id, type, state].join()).sort());
    for (const { id, access: whose, state } of model.works) {
      const one = await call(`${url}/${id}`, { headers: bearer(token) });
      if (whose === access) expect(one.json.contribution.state).toBe(state);
      else expectFailure(one, 404, 'not_found');
    }
  },
});

function liveOf({ holders }: Pick<Model, 'holders'>): Access[] {
  return holders.filter(({ state }) => state !== 'revoked');
}
