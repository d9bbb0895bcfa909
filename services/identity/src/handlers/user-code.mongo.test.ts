import { AuthorizationState, Decision } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { KnowledgeError } from '@knowledge/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorize, codeIn, deskCall, mailTo, type ServedIdentity, serveIdentity } from '../testing/serve.js';

const fromProgram = { fromPage: false, keepWaiting: false };
let served: ServedIdentity;
beforeAll(async () => {
  served = await serveIdentity('user_code', { env: { CONFIRM_USER_CODE: 'always' } });
});
afterAll(() => served.close());

const decide = (code: string, userCode: string, decision = Decision.CONFIRM) =>
  served.identity.decideAuthorization({ code, decision, userCode, ...fromProgram }, deskCall);
const refusal = (promise: Promise<unknown>): Promise<KnowledgeError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: KnowledgeError) => error,
  );

it('shows the code only to the agent and ignores case and dash', async () => {
  const { userCode, authorization } = await authorize(served, 'one@example.org');
  expect(userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  expect(authorization?.userCode).toBe('');
  const received = await mailTo(served, 'one@example.org');
  expect(received.raw).not.toContain(userCode);
  const code = codeIn(received);
  expect(await served.identity.getConfirmation({ code }, deskCall)).toMatchObject({
    userCodeRequired: true,
    authorization: { userCode: '' },
  });
  expect(await refusal(decide(code, ''))).toMatchObject({ code: 'validation_error' });
  expect(await refusal(decide(code, 'BBBB-BBBB'))).toMatchObject({ code: 'validation_error' });
  const dump = JSON.stringify(await served.db.collection('authorizations').find().toArray());
  expect(dump).not.toContain(userCode);
  const all = { email: '', state: AuthorizationState.UNSPECIFIED, pageSize: 0, pageToken: '' };
  for (const typed of [userCode, userCode.toLowerCase().replace('-', ' '), 'BBBB-BBBB']) {
    const { authorizations } = await served.admin.listAuthorizations({ ...all, userCode: typed }, deskCall);
    expect(authorizations.map(({ email }) => email)).toEqual(typed === 'BBBB-BBBB' ? [] : ['one@example.org']);
  }
  await decide(code, ` ${userCode.toLowerCase().replace('-', '')} `);
});

it('needs no code for a decline', async () => {
  await authorize(served, 'two@example.org');
  await decide(codeIn(await mailTo(served, 'two@example.org')), '', Decision.DECLINE);
});

it('expires the authorization at the fifth wrong code, even in parallel, for human and agent', async () => {
  const { userCode, deviceCode } = await authorize(served, 'three@example.org');
  const code = codeIn(await mailTo(served, 'three@example.org'));
  const errors = await Promise.all(Array.from({ length: 8 }, () => refusal(decide(code, 'BBBB-BBBB'))));
  const codes = errors.map((error) => error.code).sort();
  expect(codes.filter((each) => each === 'validation_error')).toHaveLength(4);
  expect(codes.filter((each) => each === 'invalid_or_expired_code')).toHaveLength(4);
  expect(await refusal(decide(code, userCode))).toMatchObject({ code: 'invalid_or_expired_code' });
  expect(await refusal(served.identity.exchangeDeviceCode({ deviceCode }, deskCall))).toMatchObject({
    code: 'invalid_or_expired_code',
  });
});
