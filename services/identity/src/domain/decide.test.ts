import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Authorization,
  type AuthorizationChange,
  dueChange,
  replaceGrant,
  revokeGrant,
  stateAt,
} from './authorization.js';
import { decide } from './decide.js';
import { issue, readExchange } from './issue.js';
import { accessKeyOf, newMailedCode, requireExpiredCode, requireKnownCode } from './mailed-code.js';
import { newAuthorization } from './request.js';
import { newSecretCode, optionalSecretCode } from './secret.js';

const start = new Date('2026-06-01T12:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const by = (actor: string, at: Date) => ({ actor, at, reason: '' });

function given(userCodeRule: 'never' | 'page' | 'always' = 'never', scopes: ['write:story'] | [] = []) {
  const named = { email: 'jane@example.org', agentName: 'Atlas', scopes, purpose: '', site: 'org' as const };
  const request = { requestKey: randomUUID(), ...named };
  const made = newAuthorization(request, { deviceHash: '', mailId: randomUUID(), userCodeRule, blocked: false }, start);
  const device = optionalSecretCode(newSecretCode(made.id).code);
  const { code, kept: fresh } = newMailedCode(made, { id: randomUUID(), attempts: 1 });
  const kept = { ...fresh, goodUntil: after(30) };
  const read = optionalSecretCode(code);
  if (device === undefined || read === undefined) throw new Error('unreadable');
  return { authorization: { ...made, codes: [kept], deviceHashes: [device.hash] }, device, code: read, kept };
}

/** Applies a change to an authorization in memory. The real store does the same in the database. */
function apply(before: Authorization, change: AuthorizationChange | undefined): Authorization {
  if (change === undefined) throw new Error('no change');
  const history = change.transition ? [...before.history, change.transition] : before.history;
  return { ...before, ...change.set, history, revision: before.revision + 1 };
}

type Code = ReturnType<typeof given>['code'];
const sent = (
  code: Code,
  decision: 'confirm' | 'decline' = 'confirm',
  { userCode = '', fromPage = false }: { userCode?: string; fromPage?: boolean } = {},
) => ({ code, decision, userCode, fromPage, mailId: randomUUID() });

const endedCode = expect.objectContaining({ code: 'invalid_or_expired_code' }) as Error;
/** An authorization after the decision of its human, one minute after it began. */
const decided = (authorization: Authorization, code: Code, decision?: 'confirm' | 'decline') =>
  apply(authorization, decide(authorization, sent(code, decision), after(1)).change);
const issued = (confirmed: Authorization, device: ReturnType<typeof given>['device']) =>
  apply(confirmed, issue(confirmed, device, randomUUID(), by('agent', after(2)))?.change);

describe('a decision', () => {
  it('confirms a pending authorization and records the mail with the access link', () => {
    const { authorization, code } = given();
    const { change, refusal } = decide(authorization, sent(code), after(1));
    expect(refusal).toBeUndefined();
    expect(change).toMatchObject({
      set: { state: 'confirmed', decision: 'confirm', decidedAt: after(1), pickUpUntil: after(1 + 24 * 60) },
      transition: { from: 'pending', to: 'confirmed', actor: 'human', revision: 2 },
      mail: { purpose: 'welcome', state: 'pending' },
    });
  });

  it('changes nothing when repeated; a decline after a confirmation ends the access, even with an old code', () => {
    const { authorization, code } = given();
    const confirmed = decided(authorization, code);
    expect(decide(confirmed, sent(code), after(2))).toEqual({});
    expect(decide(confirmed, sent(code, 'decline'), after(2))).toEqual({ ends: true });
    expect(decide(confirmed, sent(code, 'decline'), after(600))).toEqual({ ends: true });
    const revoked = apply(confirmed, revokeGrant(confirmed, by('human', after(3))));
    expect(decide(revoked, sent(code), after(4)).refusal).toMatchObject({ code: 'invalid_state' });
    expect(decide(revoked, sent(code, 'decline'), after(4))).toEqual({});
    const declined = decided(authorization, code, 'decline');
    expect(decide(declined, sent(code), after(2)).refusal).toMatchObject({ code: 'invalid_state' });
    expect(decide(declined, sent(code, 'decline'), after(2))).toEqual({});
  });

  it('declines with a code of any age, and what is over stays as it is', () => {
    const { authorization, code } = given();
    const no = (at: Date, of = authorization) => decide(of, sent(code, 'decline'), at);
    for (const at of [30, 24 * 60 - 1]) expect(no(after(at)).change).toMatchObject({ set: { state: 'declined' } });
    expect(no(after(24 * 60))).toEqual({});
    const confirmed = decided(authorization, code);
    expect(no(after(25 * 60), confirmed)).toEqual({});
  });

  it('needs a valid code of the same authorization', () => {
    const { authorization, code } = given();
    expect(decide(authorization, sent(given().code), after(1)).refusal?.metadata).toBeUndefined();
    expect(decide(authorization, sent(code), after(30)).refusal?.metadata).toEqual({ resend: 'true' });
    expect(() => requireKnownCode(given().authorization, code)).toThrow(/unknown/);
  });

  it('offers a new link only for an expired code of a pending authorization', () => {
    const { authorization, code } = given();
    expect(() => requireExpiredCode(authorization, code, after(29))).toThrow(endedCode);
    requireExpiredCode(authorization, code, after(30));
    expect(() => requireExpiredCode(authorization, code, after(24 * 60))).toThrow(endedCode);
    const declined = decided(authorization, code, 'decline');
    expect(() => requireExpiredCode(declined, code, after(31))).toThrow(endedCode);
  });

  it('lets a code live as long as its authorization until the mail server has accepted the mail', () => {
    const { authorization } = given();
    const { kept } = newMailedCode(authorization, { id: randomUUID(), attempts: 1 });
    expect(kept.goodUntil).toEqual(authorization.expiresAt);
  });

  it.each(['never', 'page', 'always'] as const)(
    'counts wrong user codes (%s), and expires the authorization at the fifth',
    (rule) => {
      const { authorization: first, code } = given(rule);
      let authorization: Authorization = first;
      const guess = () => decide(authorization, sent(code, 'confirm', { userCode: 'BBBB-BBBB' }), after(1));
      for (let wrong = 1; wrong <= 4; wrong++) {
        const { change, refusal } = guess();
        const metadata = { user_code: 'wrong', tries_left: String(5 - wrong) };
        expect(refusal).toMatchObject({ code: 'validation_error', metadata });
        authorization = apply(authorization, change);
      }
      const { change, refusal } = guess();
      expect(change).toMatchObject({ set: { state: 'expired' } });
      expect(refusal).toEqual(endedCode);
      expect(decide(apply(authorization, change), sent(code), after(1)).refusal).toEqual(endedCode);
    },
  );

  it('accepts a correct user code in any form, or none if it is optional', () => {
    const { authorization, code } = given('never');
    const userCode = ` ${authorization.userCode.toLowerCase().replace('-', '')} `;
    for (const typed of [userCode, authorization.userCode, '', ' ']) {
      const decided = decide(authorization, sent(code, 'confirm', { userCode: typed, fromPage: true }), after(1));
      expect(decided.change).toMatchObject({ set: { state: 'confirmed' } });
    }
  });

  it('refuses an empty user code if one is required', () => {
    const { authorization, code } = given('always');
    const missing = decide(authorization, sent(code, 'confirm', { userCode: ' ' }), after(1));
    expect(missing).toEqual({ refusal: expect.objectContaining({ metadata: { user_code: 'missing' } }) as unknown });
  });
});

describe('a user code that the page requires', () => {
  it('is required from the page for scopes to write, but not from a program', () => {
    const { authorization, code } = given('page', ['write:story']);
    expect(authorization.userCode).toBe('');
    const page = decide(authorization, sent(code, 'confirm', { fromPage: true }), after(1));
    expect(page.refusal).toMatchObject({ metadata: { user_code: 'missing' } });
    expect(decide(authorization, sent(code), after(1)).change).toMatchObject({ set: { state: 'confirmed' } });
    const typed = sent(code, 'confirm', { userCode: 'BBBB-BBBB' });
    expect(decide(authorization, typed, after(1)).refusal).toMatchObject({ metadata: { user_code: 'wrong' } });
  });

  it('is not required without scopes to write, but always if so configured', () => {
    const reading = given('page');
    expect(reading.authorization.userCode).not.toBe('');
    const fromPage = sent(reading.code, 'confirm', { fromPage: true });
    expect(decide(reading.authorization, fromPage, after(1)).refusal).toBeUndefined();
    const always = given('always');
    const { refusal } = decide(always.authorization, sent(always.code), after(1));
    expect(refusal).toMatchObject({ metadata: { user_code: 'missing' } });
  });
});

it('the access key is derived from one code and from no other', () => {
  const { authorization, code, kept } = given();
  const key = accessKeyOf(authorization.id, code, kept);
  expect(accessKeyOf(authorization.id, code, kept)).toBe(key);
  expect(optionalSecretCode(key)?.hash).toBe(kept.keyHash);
  expect(accessKeyOf(authorization.id, given().code, kept)).not.toBe(key);
});

describe('an exchange', () => {
  const confirmed = () => {
    const { authorization, code, device } = given();
    return { device, authorization: decided(authorization, code) };
  };

  it('issues a token that only this device code can fetch again, for 10 minutes', () => {
    const { authorization, device } = confirmed();
    expect(readExchange(authorization, device, after(2))).toEqual({ kind: 'confirmed' });
    const made = issue(authorization, device, randomUUID(), by('agent', after(2)));
    const issued = apply(authorization, made?.change);
    expect(made?.token).toMatchObject({ email: 'jane@example.org', expiresAt: after(180 * 24 * 60) });
    expect(readExchange(issued, device, after(11))).toMatchObject({ kind: 'issued', secret: made?.secret });
    expect(() => readExchange(issued, device, after(12))).toThrow(endedCode);
    expect(() => readExchange(issued, given().device, after(3))).toThrow(endedCode);
    expect(issue(issued, device, randomUUID(), by('agent', after(3)))).toBeUndefined();
  });

  it('gives nothing after the grant is revoked, before or after it was fetched', () => {
    const { authorization, device } = confirmed();
    const early = apply(authorization, revokeGrant(authorization, by('human', after(2))));
    expect(() => readExchange(early, device, after(2))).toThrow(endedCode);
    expect(issue(early, device, randomUUID(), by('agent', after(2)))).toBeUndefined();
    const current = issued(authorization, device);
    const late = apply(current, revokeGrant(current, by('ana', after(3))));
    expect(late.grant?.salt).toBeNull();
    expect(() => readExchange(late, device, after(3))).toThrow(endedCode);
    expect(revokeGrant(late, by('ana', after(4)))).toBeUndefined();
  });

  it('fails from 24 hours after the confirmation', () => {
    const { authorization, device } = confirmed();
    const late = after(1 + 24 * 60);
    expect(stateAt(authorization, late)).toBe('expired');
    expect(() => readExchange(authorization, device, late)).toThrow(endedCode);
    expect(issue(authorization, device, randomUUID(), by('agent', late))).toBeUndefined();
  });
});

it('the clock expires authorizations and removes salts at their time, and not before', () => {
  const { authorization, code, device } = given();
  expect(dueChange(authorization, after(24 * 60 - 1))).toBeUndefined();
  const end = { set: { state: 'expired', timerAt: null }, transition: { at: authorization.expiresAt } };
  expect(dueChange(authorization, after(25 * 60))).toMatchObject(end);
  const confirmed = decided(authorization, code);
  expect(dueChange(confirmed, after(24 * 60))).toBeUndefined();
  expect(dueChange(confirmed, after(1 + 24 * 60))).toMatchObject({ set: { state: 'expired' } });
  const current = issued(confirmed, device);
  const wiped = apply(current, dueChange(current, after(12)));
  expect(wiped).toMatchObject({ state: 'issued', grant: { salt: null }, timerAt: null });
  expect(wiped.purgeAt).toEqual(current.purgeAt);
  expect(dueChange(wiped, after(1e6))).toBeUndefined();
});

describe('the end of a grant', () => {
  const moment = { timerAt: null, purgeAt: new Date(after(3).getTime() + 30 * 86_400_000) };

  it('before the decision is a decline by the human, or a revocation by another actor', () => {
    const { authorization } = given();
    const declined = { ...moment, state: 'declined', decision: 'decline', decidedAt: after(3) };
    const transition = { from: 'pending', reason: '', at: after(3), revision: 2 };
    const byHuman = { set: declined, transition: { ...transition, to: 'declined', actor: 'human' } };
    expect(revokeGrant(authorization, by('human', after(3)))).toEqual(byHuman);
    const byAna = { set: { ...moment, state: 'revoked' }, transition: { ...transition, to: 'revoked', actor: 'ana' } };
    expect(revokeGrant(authorization, by('ana', after(3)))).toEqual(byAna);
  });

  it('by a renewal needs a token and removes its salt', () => {
    const { authorization, code, device } = given();
    expect(replaceGrant(authorization, by('agent', after(3)))).toBeUndefined();
    const confirmed = decided(authorization, code);
    const current = issued(confirmed, device);
    expect(replaceGrant(current, by('agent', after(3)))).toEqual({
      set: { ...moment, state: 'renewed', grant: { ...current.grant, salt: null } },
      transition: { from: 'issued', to: 'renewed', actor: 'agent', at: after(3), reason: '', revision: 4 },
    });
    expect(revokeGrant(current, by('agent', after(3)))?.set).toMatchObject({ ...moment, grant: { salt: null } });
  });
});

describe('the error message and the transition of a decision', () => {
  const month = 30 * 24 * 60;

  it('of a decline: actor, time and the time of deletion', () => {
    const { authorization, code } = given();
    expect(decide(authorization, sent(code, 'decline'), after(1))).toEqual({
      change: {
        set: { state: 'declined', decision: 'decline', decidedAt: after(1), timerAt: null, purgeAt: after(1 + month) },
        transition: { from: 'pending', to: 'declined', actor: 'human', at: after(1), reason: '', revision: 2 },
      },
    });
    expect(decide(authorization, sent(code), after(1)).change?.transition?.reason).toBe('');
  });

  it('of a confirmation that is too late', () => {
    const { authorization, code } = given();
    const fault = (of: Authorization, minutes = 2) => decide(of, sent(code), after(minutes)).refusal?.message;
    const declined = decided(authorization, code, 'decline');
    expect(fault(declined)).toBe('The human declined this request; it cannot be confirmed any more.');
    const ended = 'This access has ended; it cannot be confirmed any more.';
    expect(fault({ ...authorization, state: 'revoked' })).toBe(ended);
    const old = 'This link is too old to say yes with. It can say no, and its page can mail a new one.';
    expect(fault(authorization, 30)).toBe(old);
    expect(decide(authorization, sent(given().code), after(1)).refusal).toEqual(endedCode);
    for (const state of ['issued', 'renewed'] as const) {
      expect(decide({ ...authorization, state }, sent(code, 'decline'), after(1))).toEqual({ ends: true });
      expect(decide({ ...authorization, state }, sent(code), after(1e6))).toEqual({});
    }
  });

  it('of a missing or wrong user code', () => {
    const { authorization, code } = given('always');
    const refusal = (userCode: string, wrongUserCodes = 0) =>
      decide({ ...authorization, wrongUserCodes }, sent(code, 'confirm', { userCode }), after(1));
    expect(refusal('').refusal?.message).toBe('user_code: Type the code that your agent shows you.');
    expect(refusal('BBBB-BBBB').refusal?.message).toBe(
      'user_code: That is not the code that your agent shows. It can be tried 4 more times.',
    );
    expect(refusal('BBBB-BBBB', 3).refusal?.message).toMatch(/ It can be tried once more\.$/);
    expect(refusal('BBBB-BBBB', 4).change).toEqual({
      set: { state: 'expired', wrongUserCodes: 5, timerAt: null, purgeAt: after(1 + month) },
      transition: {
        ...{ from: 'pending', to: 'expired', actor: 'human', at: after(1), revision: 2 },
        reason: 'The code was typed wrong 5 times.',
      },
    });
  });
});

describe('the error for an unknown code', () => {
  it('is the same for a code of no authorization, of another one or of an erased person', () => {
    const { authorization, code, device } = given();
    expect(() => requireExpiredCode(undefined, code, after(31))).toThrow(endedCode);
    expect(() => requireExpiredCode(authorization, given().code, after(31))).toThrow(endedCode);
    expect(() => requireKnownCode({ ...authorization, state: 'erased' }, code)).toThrow(endedCode);
    expect(() => readExchange(undefined, device, after(1))).toThrow(endedCode);
  });

  it('comes for a device code after a decline, or if its token cannot be derived again', () => {
    const { authorization, code, device } = given();
    expect(readExchange(authorization, device, after(1))).toEqual({ kind: 'pending' });
    const twice = { ...authorization, deviceHashes: [given().device.hash, device.hash] };
    expect(readExchange(twice, device, after(1))).toEqual({ kind: 'pending' });
    const declined = decided(authorization, code, 'decline');
    const message = 'The human declined the request; ask again only if they want you to.';
    const denied = expect.objectContaining({ code: 'authorization_denied', message });
    expect(() => readExchange(declined, device, after(2))).toThrow(denied);
    const grant = { tokenId: 't', tokenHash: 'h', salt: null, issuedAt: after(1), redeliverUntil: after(11) };
    const without = (each: typeof grant | null) => ({ ...authorization, state: 'issued' as const, grant: each });
    for (const each of [null, grant]) expect(() => readExchange(without(each), device, after(2))).toThrow(endedCode);
  });
});
