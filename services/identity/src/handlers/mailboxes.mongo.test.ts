import { AuthorizationState, Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import { afterAll, expect, it } from 'vitest';
import { authorize, codeIn, deskCall, mailTo, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('mailboxes');
afterAll(() => served.close());

const mailsTo = (email: string) => served.sink.mails.filter(({ to }) => to[0] === email);
const states = async (email: string) =>
  (
    await served.admin.listAuthorizations(
      { email, state: AuthorizationState.UNSPECIFIED, pageSize: 0, pageToken: '' },
      deskCall,
    )
  ).authorizations.map(({ authorization }) => authorization?.state);

it('turns requests off for every spelling of a mailbox, and declines those that wait', async () => {
  await authorize(served, 'target.one@gmail.com');
  const code = codeIn(await mailTo(served, 'target.one@gmail.com'));
  await authorize(served, 'targetone@googlemail.com');
  await mailTo(served, 'targetone@googlemail.com');
  const off = await served.identity.refuseRequests({ code, accessKey: '', days: 0 }, deskCall);
  expect(off.declined).toBe(2);
  expect(await states('targetone@googlemail.com')).toEqual([AuthorizationState.DECLINED]);
  for (const email of ['t.argetone@gmail.com', 'target.one+x@googlemail.com']) {
    await authorize(served, email);
    expect(mailsTo(email)).toEqual([]);
  }
  // The mail of another mailbox left after those would have.
  await authorize(served, 'target.two@gmail.com');
  await mailTo(served, 'target.two@gmail.com');
  expect(mailsTo('t.argetone@gmail.com')).toEqual([]);
});

it('blocks, counts and unblocks a mailbox in every spelling, and delivers to the address as it was given', async () => {
  const spellings = [
    'bu.sy@gmail.com',
    'b.usy@gmail.com',
    'busy@googlemail.com',
    'busy+a@gmail.com',
    'b.u.s.y@gmail.com',
  ];
  for (const email of spellings) await authorize(served, email);
  const sixth = await authorize(served, 'busy@gmail.com').catch(KnowledgeError.from);
  expect(sixth).toMatchObject({ code: 'rate_limited', metadata: { limited: 'mailbox' } });
  for (const email of spellings) await mailTo(served, email);

  const { token, secret } = await served.admin.issueToken(
    { email: 'wri.ter@gmail.com', agentName: 'Atlas', scopes: [Scope.WRITE_STORY], reason: '' },
    deskCall,
  );
  expect(token?.email).toBe('wri.ter@gmail.com');
  const resolved = async () =>
    (await served.identity.resolveTokens({ items: [{ token: secret, context: undefined }] }, deskCall)).results[0]
      ?.outcome;
  await served.admin.blockRequests({ email: 'writer@googlemail.com', days: 0, reason: 'spam' }, deskCall);
  expect(await resolved()).toMatchObject({ value: { writesBlocked: true } });
  await served.admin.unblockRequests({ email: 'w.r.i.t.e.r@gmail.com', reason: '' }, deskCall);
  expect(await resolved()).toMatchObject({ value: { writesBlocked: false } });
});
