import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ErasureState } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { describe, expect, it } from 'vitest';
import { deskCall, outcomeOf, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('erasures');

const by = (actor: string, requestId: string = randomUUID()) => ({ requestId, actor });
const ask = (email: string, call = by('desk:ana')) =>
  served.erasures.requestErasure({ email, withWork: true, reason: `${email} wrote` }, call);

describe('the erasure of a person', () => {
  it('needs two staff members and leaves no address', async () => {
    const email = 'gone@example.org';
    await served.issue(email);
    const first = by('desk:ana');
    const erasureId = (await ask(email, first)).erasure?.id ?? '';
    expect((await ask(email, first)).erasure?.id).toBe(erasureId);
    await expect(ask(email)).rejects.toMatchObject({ code: 'invalid_state' });
    const erase = (whom: string) => served.admin.erasePerson({ email: whom, erasureId }, by('bob'));
    const confirmed = () => served.confirmed.getConfirmedErasure({ id: erasureId }, deskCall);
    expect(await outcomeOf(erase(email))).toBe('invalid_state');
    for (const alone of ['desk:ana', 'Ana']) {
      const confirm = served.erasures.confirmErasure({ id: erasureId }, by(alone));
      expect(await outcomeOf(confirm)).toBe('invalid_state');
    }
    expect((await served.admin.listTokens({ email, pageSize: 1, pageToken: '' }, deskCall)).tokens).toHaveLength(1);

    const { erasure } = await served.erasures.confirmErasure({ id: erasureId }, by('bob'));
    expect(erasure).toMatchObject({ state: ErasureState.CONFIRMED, askedBy: 'desk:ana', decidedBy: 'bob', email });
    await served.erasures.confirmErasure({ id: erasureId }, by('desk:ana'));
    const logged = served.db.collection('transitions').find({ to: 'erasure confirmed' });
    expect((await logged.toArray()).map(({ actor }) => actor)).toEqual(['bob']);
    expect(await outcomeOf(confirmed())).toBe('invalid_state');
    expect(await outcomeOf(erase('other@example.org'))).toBe('validation_error');
    expect(await erase('')).toEqual({ authorizations: 1, tokens: 1 });
    expect(await confirmed()).toMatchObject({ email, withWork: true });
    for (let times = 0; times < 2; times += 1) await served.confirmed.finishErasure({ id: erasureId }, deskCall);
    const stored = await served.db.collection('erasures').findOne({ _id: erasureId as never });
    expect(stored).toMatchObject({ state: 'done', decidedBy: 'bob' });
    expect(JSON.stringify(stored)).not.toContain(email);
    expect(await erase('')).toEqual({ authorizations: 0, tokens: 0 });
  });

  it('is listed until it is cancelled or lapses', async () => {
    const open = async (all = false) => {
      const { erasures } = await served.erasures.listErasures({ pageSize: 0, pageToken: '', all, email: '' }, deskCall);
      return erasures.map(({ email, state }) => [email, state]);
    };
    const id = (await ask('kept@example.org')).erasure?.id ?? '';
    await ask('late@example.org');
    expect(await open()).toEqual([
      ['kept@example.org', ErasureState.WAITING],
      ['late@example.org', ErasureState.WAITING],
    ]);
    await served.erasures.cancelErasure({ id, reason: 'a mistake' }, by('desk:ana'));
    await expect(served.erasures.confirmErasure({ id }, by('bob'))).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await open()).toHaveLength(1);
    expect(await open(true)).toContainEqual(['', ErasureState.CANCELLED]);
    served.clock.forward(7 * 86_400_000);
    expect(await open()).toEqual([]);
  });

  it('is refused without a reason, for an unknown id, and for a stranger to the address', async () => {
    const without = { email: 'a@example.org', withWork: false, reason: ' ' };
    expect(await outcomeOf(served.erasures.requestErasure(without, by('desk:ana')))).toBe('validation_error');
    for (const erasureId of ['', randomUUID()]) {
      expect(await outcomeOf(served.admin.erasePerson({ email: '', erasureId }, by('bob')))).toBe('not_found');
    }
  });
});

describe('the access link that support sends', () => {
  const send = (email: string, call = by('desk:ana'), hasContributions = false) =>
    served.admin.sendAccessLink({ email, site: Site.ORG, reason: 'lost it', hasContributions }, call);

  it('reaches a human who is known, within the limits of the mailbox', async () => {
    const email = 'link@example.org';
    await expect(send(email)).rejects.toMatchObject({ code: 'not_found' });
    await send(email, by('desk:ana'), true);
    expect((await served.mailTo(email)).mail.text).toContain('/access?key=');
    const sendAgain = () => send(email, by('desk:ana'), true);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => sendAgain().then(String, ({ code }) => code)));
    expect(outcomes.filter((each) => each === 'rate_limited')).toHaveLength(1);
  });
});
