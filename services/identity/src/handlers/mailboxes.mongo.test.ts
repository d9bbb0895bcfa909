import { AuthorizationState, Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { deskCall, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('mailboxes');

it('turns requests off for every spelling of a mailbox, and declines those that wait', async () => {
  const { code } = await served.ask('target.one@gmail.com');
  await served.authorize('targetone@googlemail.com');
  await served.mailTo('targetone@googlemail.com');
  const off = await served.refuse({ code }, 0);
  expect(off.declined).toBe(2);
  const { authorizations } = await served.authorizationsOf('targetone@googlemail.com');
  expect(authorizations).toMatchObject([{ authorization: { state: AuthorizationState.DECLINED } }]);
  for (const email of ['t.argetone@gmail.com', 'target.one+x@googlemail.com']) {
    await served.authorize(email);
    expect(served.mailsTo(email)).toEqual([]);
  }
  // The mail of another mailbox left after those would have.
  await served.authorize('target.two@gmail.com');
  await served.mailTo('target.two@gmail.com');
  expect(served.mailsTo('t.argetone@gmail.com')).toEqual([]);
});

it('blocks, counts and unblocks a mailbox in every spelling, and delivers to the address as it was given', async () => {
  const spellings = [
    ...['bu.sy@gmail.com', 'b.usy@gmail.com', 'busy@googlemail.com', 'busy+a@gmail.com', 'b.u.s.y@gmail.com'],
  ];
  for (const email of spellings) await served.authorize(email);
  const sixth = await served.authorize('busy@gmail.com').catch(KnowledgeError.from);
  expect(sixth).toMatchObject({ code: 'rate_limited', metadata: { limited: 'mailbox' } });
  for (const email of spellings) await served.mailTo(email);

  const { token, secret } = await served.issue('wri.ter@gmail.com', {
    agentName: 'Atlas',
    scopes: [Scope.WRITE_STORY],
  });
  expect(token?.email).toBe('wri.ter@gmail.com');
  await served.admin.blockRequests({ email: 'writer@googlemail.com', days: 0, reason: 'spam' }, deskCall);
  expect(await served.resolve(secret)).toMatchObject({ value: { writesBlocked: true } });
  await served.admin.unblockRequests({ email: 'w.r.i.t.e.r@gmail.com', reason: '' }, deskCall);
  expect(await served.resolve(secret)).toMatchObject({ value: { writesBlocked: false } });
});
