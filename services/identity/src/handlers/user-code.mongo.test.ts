import { Decision } from '@knowledge/proto/knowledge/identity/v1/identity';
import { expect, it } from 'vitest';
import { refusalOf, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('user_code', { env: { CONFIRM_USER_CODE: 'always' } });

const confirm = (code: string, typed: string) => served.decide(code, Decision.CONFIRM, typed);

it('shows the code only to the agent and ignores case and dash', async () => {
  const { userCode, authorization, code, mail } = await served.ask('one@example.org');
  expect(userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  expect(authorization?.userCode).toBe('');
  expect(mail.raw).not.toContain(userCode);
  expect(await served.shown(code)).toMatchObject({ userCodeRequired: true, authorization: { userCode: '' } });
  expect(await refusalOf(confirm(code, ''))).toMatchObject({ code: 'validation_error' });
  expect(await refusalOf(confirm(code, 'BBBB-BBBB'))).toMatchObject({ code: 'validation_error' });
  const dump = JSON.stringify(await served.db.collection('authorizations').find().toArray());
  expect(dump).not.toContain(userCode);
  for (const typed of [userCode, userCode.toLowerCase().replace('-', ' '), 'BBBB-BBBB']) {
    const { authorizations } = await served.authorizationsOf('', { userCode: typed });
    expect(authorizations.map(({ email }) => email)).toEqual(typed === 'BBBB-BBBB' ? [] : ['one@example.org']);
  }
  await confirm(code, ` ${userCode.toLowerCase().replace('-', '')} `);
});

it('needs no code for a decline', async () => {
  await served.decide((await served.ask('two@example.org')).code, Decision.DECLINE);
});

it('expires the authorization at the fifth wrong code, even in parallel, for human and agent', async () => {
  const { userCode, deviceCode, code } = await served.ask('three@example.org');
  const errors = await Promise.all(Array.from({ length: 8 }, () => refusalOf(confirm(code, 'BBBB-BBBB'))));
  const codes = errors.map((error) => error.code).sort();
  expect(codes.filter((each) => each === 'validation_error')).toHaveLength(4);
  expect(codes.filter((each) => each === 'invalid_or_expired_code')).toHaveLength(4);
  expect(await refusalOf(confirm(code, userCode))).toMatchObject({ code: 'invalid_or_expired_code' });
  expect(await refusalOf(served.poll(deviceCode))).toMatchObject({ code: 'invalid_or_expired_code' });
});
