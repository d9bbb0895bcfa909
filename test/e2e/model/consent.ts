import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import fc from 'fast-check';
import { expect } from 'vitest';
import { confirmationCodeIn, exchangeToken, recordOf, sendJson, untilRefused } from '../../harness/agent.js';
import { bearer, call, expectFailure } from '../../harness/http.js';
import type { System } from '../../harness/system.js';
import { until } from '../../harness/until.js';
import { type Access, type Model, scopeOf } from './model.js';
import { gateway, pick, steps, which } from './step.js';

/** An agent requests access, at most five times an hour per mailbox (gateway/PROTOCOL.md#authorization-limits). */
export const authorize = steps<{ human: number; scopes: string[]; gateway: number }>('authorize', {
  args: { human: fc.nat(2), scopes: fc.subarray(Object.values(scopeOf)), gateway: gateway() },
  run: async (model, system, { human, scopes, gateway }) => {
    const email = pick(model.emails, human);
    const body = { email, agent_name: 'Model', scopes };
    const { status, json, ...answer } = await sendJson(
      'POST',
      `${system.gateways[gateway]}/api/v1/agent/authorize`,
      body,
    );
    // A request in the quiet day after a No counts in no limit.
    if (model.isQuiet(email) || !model.takeRequest(email)) {
      expectFailure({ status, json, ...answer }, 429, 'rate_limited');
      return;
    }
    expect([status, json.authorization?.state]).toEqual([202, 'pending']);
    expect([...json.authorization.scopes].sort()).toEqual([...scopes].sort());
    const { device_code: deviceCode } = json.token_exchange;
    model.accesses.push({ email, scopes, userCode: json.user_code, deviceCode, state: 'pending' });
  },
});

/** The human opens the mailed link and decides. The first decision counts (gateway/PROTOCOL.md#decision). */
const decide = (decision: 'confirm' | 'decline') =>
  steps<{ access: number; gateway: number }>(decision, {
    args: { access: which(), gateway: gateway() },
    possible: ({ accesses }) => mailedOf(accesses).length > 0,
    run: async (model, system, { access, gateway }) => {
      const chosen = pick(mailedOf(model.accesses), access);
      const url = `${system.gateways[gateway]}/api/v1/agent/authorize/confirm?code=${await mailedCode(system, chosen)}`;
      // Opening the page changes nothing.
      const shown = await call(url);
      expect([shown.status, shown.json.authorization.state]).toEqual([200, chosen.state]);
      const answer = await sendJson('POST', url, { decision });
      const before = chosen.state;
      if (!model.decide(chosen, decision)) {
        expectFailure(answer, 409, 'invalid_state');
        return;
      }
      expect([answer.status, answer.json.authorization?.state]).toEqual([200, chosen.state]);
      if (chosen.state === 'revoked' && before !== 'revoked') await ended(model, system, chosen);
    },
  });
export const confirm = decide('confirm');
export const decline = decide('decline');

/** The agent fetches its token (gateway/PROTOCOL.md#token-exchange). */
export const poll = steps<{ access: number; gateway: number }>('poll', {
  args: { access: which(), gateway: gateway() },
  possible: ({ accesses }) => mailedOf(accesses).length > 0,
  run: async (model, system, { access, gateway }) => {
    const chosen = pick(mailedOf(model.accesses), access);
    const answer = await exchangeToken(system, chosen.deviceCode, gateway);
    const { status, json } = answer;
    switch (chosen.state) {
      case 'pending':
        if (status === 202) {
          expect(json.state).toBe('pending');
          // Only a poll 5 s after the last "pending" gets 202. The test can check it, since all processes share a clock.
          expect(Date.now() - (chosen.polledAt ?? 0)).toBeGreaterThan(5_000);
          chosen.polledAt = Date.now();
        } else {
          expectFailure(answer, 429, 'rate_limited');
          expect(Date.now() - (chosen.polledAt ?? 0)).toBeLessThan(6_000);
        }
        break;
      case 'declined':
        expectFailure(answer, 403, 'authorization_denied');
        break;
      case 'revoked':
        expectFailure(answer, 400, 'invalid_or_expired_code');
        break;
      case 'confirmed':
      case 'issued':
        expect([status, json.state, json.email]).toEqual([200, 'issued', chosen.email]);
        expect([...json.scopes].sort()).toEqual([...chosen.scopes].sort());
        // A repeated exchange returns the same token. No other request gets that token.
        expect(json.token).toBe(chosen.token ?? json.token);
        expect(model.accesses.filter(({ token }) => token === json.token).every((each) => each === chosen)).toBe(true);
        chosen.token = json.token;
        chosen.state = 'issued';
    }
  },
});

/** The agent revokes its token (gateway/PROTOCOL.md#tokens). */
export const revoke = steps<{ holder: number; gateway: number }>('revoke', {
  args: { holder: which(), gateway: gateway() },
  possible: ({ holders }) => holders.length > 0,
  run: async (model, system, { holder, gateway }) => {
    const chosen = pick(model.holders, holder);
    const at = (base = '') => `${base}/api/v1/agent/token`;
    const headers = bearer(chosen.token);
    const answer = await call(at(system.gateways[gateway]), { method: 'DELETE', headers });
    if (chosen.state === 'revoked') {
      expectFailure(answer, 401, 'invalid_token');
      return;
    }
    expect([answer.status, answer.json.ok]).toEqual([200, true]);
    chosen.state = 'revoked';
    expectFailure(await call(at(system.gateways[gateway]), { headers }), 401, 'invalid_token');
    await untilRefused(system, chosen.token ?? '');
  },
});

// Checks that a revoked authorization allows nothing and that its contributions that wait for a moderator are withdrawn.
async function ended(model: Model, system: System, access: Access): Promise<void> {
  if (access.token !== undefined) await untilRefused(system, access.token);
  for (const { id } of model.withdrawWaiting(access)) {
    const isWithdrawn = async () => (await recordOf(system, id))?.contribution?.state === ContributionState.WITHDRAWN;
    await until('what waits to be withdrawn', isWithdrawn, 5_000, 50);
  }
}

// The authorizations with a confirmation mail. Tokens that support issued have none.
function mailedOf(accesses: readonly Access[]): Access[] {
  return accesses.filter(({ deviceCode }) => deviceCode !== '');
}

async function mailedCode(system: System, { email, userCode }: Access): Promise<string> {
  const mail = await until(`the mail with ${userCode}`, () =>
    system.mail.mails.find(({ text }) => text?.includes(userCode) && text.includes('confirm?code=')),
  );
  expect([mail.to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address))).toEqual([email]);
  return confirmationCodeIn(mail) ?? '';
}
