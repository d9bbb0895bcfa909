import { MailDomainEffect, MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { KnowledgeError } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { expect, it } from 'vitest';
import { deskCall, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('mail_ceilings', {
  quotaEnv: { AUTHORIZE_PER_MAIL_DOMAIN: '3', AUTHORIZE_PER_HOUR: '20', AUTHORIZE_PER_ADDRESS: '0' },
});

const ask = (email: string, more = {}) =>
  served.authorize(email, more).then(
    () => 'asked',
    (error: unknown) => KnowledgeError.from(error).metadata?.['limited'],
  );
const askAll = async (emails: readonly string[]) => {
  const answers = [];
  for (const email of emails) answers.push(await ask(email));
  return answers;
};

it('stops mails to one mail domain an hour, with its subdomains, but no renewal and no allowed domain', async () => {
  const wave = ['a@wave.co.uk', 'b@x.wave.co.uk', 'c@y.z.wave.co.uk', 'd@wave.co.uk', 'e@other.wave.co.uk'];
  expect(await askAll(wave)).toEqual(['asked', 'asked', 'asked', 'mail domain', 'mail domain']);
  expect(await ask('a@calm.co.uk')).toBe('asked');
  const issue = { email: 'f@wave.co.uk', agentName: 'Atlas', scopes: [], reason: '' };
  const { token } = await served.admin.issueToken(issue, deskCall);
  expect(await ask('f@wave.co.uk', { renewedTokenId: token?.id })).toBe('asked');

  const domains = connectGrpc(MailDomainServiceService, { address: served.address, deadlineMs: 10_000 });
  const rule = { domain: 'wave.co.uk', effect: MailDomainEffect.ALLOW, humansADay: 0, reason: 'a course' };
  await domains.putMailDomainRule(rule, deskCall);
  await domains.close();
  expect(await ask('d@wave.co.uk')).toBe('asked');
});

it('never stops a large provider by its domain, and stops everything at the ceiling of the service', async () => {
  const names = Array.from({ length: 15 }, (_, at) => `person${at}@gmail.com`);
  expect(await askAll(names)).toEqual(names.map(() => 'asked'));
  const refused = await served.authorize('last@outlook.com').catch(KnowledgeError.from);
  expect(refused).toMatchObject({
    code: 'rate_limited',
    message: 'Too many authorization mails for this service.',
    retryAfterSeconds: expect.any(Number),
  });
  const { token } = await served.issue('renews@example.org');
  expect(await ask('renews@example.org', { renewedTokenId: token?.id })).toBe('asked');
});
