import { AuthorizationState, Decision } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode, type KnowledgeError } from '@knowledge/runtime';
import { describe, expect, it } from 'vitest';
import { codeIn, deskCall, keyIn, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('quiet_days');

const decline = async (email: string, which: number) =>
  served.decide(codeIn(await served.mailTo(email, which)), Decision.DECLINE);
/** Asks, and tells whether a mail was stored for it. A refused request is not stored. */
const from = (agentName: string, clientAddress: string) => ({ agentName, clientAddress });
async function isMailed(email: string, changes: object): Promise<boolean> {
  try {
    const { authorization } = await served.authorize(email, changes);
    const stored = await served.db.collection('authorizations').findOne({ _id: authorization?.id as never });
    return stored?.['mails'].length === 1;
  } catch (error) {
    if (hasCode(error, 'rate_limited')) return false;
    throw error;
  }
}
/** Asks for the first time, and is declined. */
const declined = async (email: string, changes: object = {}) => {
  await served.authorize(email, changes);
  await decline(email, 1);
  return email;
};

describe('after a No', () => {
  it('the same name in any form and the same network wait a quiet day for this mailbox; others do not', async () => {
    for (const [at, name] of ['ATLAS', 'Аtlаs', 'Atlas 2', 'At-las', 'Atl\u00e0s'].entries()) {
      const to = await declined(`no-${at}@example.org`, from('Atlas', '192.0.2.1'));
      expect([name, await isMailed(to, from(name, '198.51.100.7'))]).toEqual([name, false]);
    }
    const email = await declined('said.no@gmail.com', from('Atlas', '192.0.2.1'));
    expect(await isMailed('saidno+x@googlemail.com', from('Atlas', '198.51.100.7'))).toBe(false);
    served.clock.forward(3_600_000);
    expect(await isMailed(email, from('Borealis', '192.0.2.1'))).toBe(false);
    expect(await isMailed(email, from('Borealis', '192.0.2.2'))).toBe(true);
    // A request that expires before its mail leaves has none.
    await served.mailTo(email, 2);
    // The No was about this mailbox.
    expect(await isMailed('another.one@gmail.com', from('Atlas', '192.0.2.1'))).toBe(true);
    served.clock.forward(24 * 3_600_000);
    expect(await isMailed(email, from('Atlas', '192.0.2.1'))).toBe(true);
    const { mail } = await served.mailTo(email, 3);
    expect(mail.text?.replace(/\s+/g, ' ')).toContain('You said no to a request in the last 30 days');
  });

  it('the network of an IPv6 address is its /48', async () => {
    const email = await declined('six@example.org', from('One', '2001:db8:1:2::5'));
    expect(await isMailed(email, from('Two', '2001:db8:1:ffff::1'))).toBe(false);
    expect(await isMailed(email, from('Two', '2001:db8:2::1'))).toBe(true);
    // An unknown address is no network.
    expect(await isMailed(email, from('Three', ''))).toBe(true);
  });

  it('the answer tells until when to wait, and counts in no limit', async () => {
    const email = await declined('usual@example.org');
    for (let at = 0; at < 6; at++) {
      const refused = served.authorize(email);
      await expect(refused).rejects.toMatchObject({ code: 'rate_limited', metadata: { window: 'day' } });
      await expect(refused).rejects.toThrow(
        /^Your human said no .* Until \d+ \w+ \d{4} at \d\d:\d\d UTC no further mail is sent/,
      );
    }
    expect(await isMailed(email, from('Borealis', '192.0.2.200'))).toBe(true);
    served.clock.forward(23.5 * 3_600_000);
    const soon = await served.authorize(email).catch((error: unknown) => error as KnowledgeError);
    expect(soon).toMatchObject({ code: 'rate_limited', metadata: undefined });
    expect((soon as KnowledgeError).retryAfterSeconds).toBeGreaterThan(1700);
  });

  it('a mailbox that refuses all requests answers as usual also then', async () => {
    const email = 'refuses@example.org';
    const first = await served.authorize(email);
    const code = codeIn(await served.mailTo(email));
    await decline(email, 1);
    await served.refuse({ code }, 30);
    const second = await served.authorize(email);
    expect(Object.keys(second)).toEqual(Object.keys(first));
    expect(second.authorization?.state).toBe(AuthorizationState.PENDING);
    expect(second).toMatchObject({ mailSubject: first.mailSubject, email });
    expect((await served.poll(second.deviceCode))?.$case).toBe('pending');
  });

  it('who turned requests on again gets them, also from those who were declined', async () => {
    const { email, code } = await served.ask('on-again@example.org', { clientAddress: '192.0.2.9' });
    await served.refuse({ code }, 30);
    await served.mailLink(email);
    await served.identity.allowRequests({ accessKey: keyIn(await served.mailTo(email, 2)) }, deskCall);
    expect(await isMailed(email, from('Atlas', '192.0.2.9'))).toBe(true);
    await decline(email, 3);
    expect(await isMailed(email, from('Atlas', '192.0.2.9'))).toBe(false);
  });

  it('a renewal of an agent that has access still reaches the human', async () => {
    const email = 'renewing@example.org';
    const { token } = await served.issue(email);
    await served.authorize(email);
    await decline(email, 2);
    expect(await isMailed(email, { renewedTokenId: token.id })).toBe(true);
  });
});

describe('a mailbox of which only a block is known', () => {
  it('gets one link a week in all its spellings, and none after its human refused them', async () => {
    const { email, code } = await served.ask('off.for.ever@gmail.com');
    await served.refuse({ code }, 0);
    const stored = () =>
      served.db.collection('access_keys').countDocuments({ email: /forever|off/, 'mails.0': { $exists: true } });

    await Promise.all([1, 2].map(() => served.mailLink(email, { requestId: 'once' })));
    const link = await served.mailTo(email, 2);
    expect(link.mail.text).toContain('#links');
    await served.admin.blockRequests({ email, days: 30, reason: 'spam' }, deskCall);
    for (const spelling of ['offforever@gmail.com', 'offforever+x@googlemail.com']) await served.mailLink(spelling);
    expect(await stored()).toBe(1);
    const accessKey = keyIn(link);
    const told = { linksWeekly: true, linksRefused: false, requestsRefused: true };
    expect(await served.access(accessKey)).toMatchObject(told);
    served.clock.forward(7 * 24 * 3_600_000);
    await served.mailLink(email);
    expect(await stored()).toBe(2);

    await served.identity.refuseLinks({ accessKey }, deskCall);
    await served.refuse({ accessKey }, 0);
    expect((await served.access(accessKey)).linksRefused).toBe(true);
    served.clock.forward(8 * 24 * 3_600_000);
    await served.mailLink(email);
    expect(await stored()).toBe(2);
  });

  it('has the usual links as soon as an agent has access', async () => {
    const email = 'has-access@example.org';
    await served.issue(email);
    await served.admin.blockRequests({ email, days: 0, reason: 'spam' }, deskCall);
    for (let at = 0; at < 3; at++) await served.mailLink(email);
    await served.mailTo(email, 5);
    expect(served.mailsTo(email).filter(({ mail }) => mail.text?.includes('#links'))).toEqual([]);
  });
});
