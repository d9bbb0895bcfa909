import { randomUUID } from 'node:crypto';
import { MailDomainEffect, MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { KnowledgeError } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { afterAll, expect, it } from 'vitest';
import { serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('mail_domains');
const domains = connectGrpc(MailDomainServiceService, { address: served.address, deadlineMs: 10_000 });
afterAll(async () => {
  await domains.close();
});

const by = (actor = 'ana') => ({ requestId: randomUUID(), actor });
const put = (domain: string, effect: MailDomainEffect, humansADay = 0, reason = 'T-7') =>
  domains.putMailDomainRule({ domain, effect, humansADay, reason }, by());
const refusal = (promise: Promise<unknown>) => promise.then(() => undefined, KnowledgeError.from);
const ask = (email: string, more = {}) => refusal(served.authorize(email, more));

it('refuses requests for mailboxes of a domain and below it, until the rule is removed', async () => {
  await put('Wave.example', MailDomainEffect.REFUSE);
  for (const email of ['a@wave.example', 'a@mx.WAVE.example', 'a@x.y.wave.example']) {
    const message = expect.stringMatching(/^email: mailboxes of wave\.example cannot be asked/);
    expect(await ask(email)).toMatchObject({ code: 'validation_error', message });
  }
  for (const other of ['a@notwave.example', 'a@wave.example.org']) expect(await ask(other)).toBeUndefined();
  // The nearest rule holds.
  await put('good.wave.example', MailDomainEffect.ALLOW);
  expect(await ask('a@good.wave.example')).toBeUndefined();

  await put('*.münchen.example', MailDomainEffect.REFUSE);
  for (const email of ['a@münchen.example', 'a@xn--mnchen-3ya.example'])
    expect((await ask(email))?.code).toBe('validation_error');

  await domains.removeMailDomainRule({ domain: 'wave.example', reason: 'over' }, by());
  expect(await ask('a@wave.example')).toBeUndefined();
});

it('refuses both names of a provider, whichever of them the rule names', async () => {
  await put('googlemail.com', MailDomainEffect.REFUSE);
  for (const email of ['somebody@gmail.com', 'somebody@googlemail.com'])
    expect((await ask(email))?.code).toBe('validation_error');
  await domains.removeMailDomainRule({ domain: 'gmail.com', reason: 'over' }, by());
  expect(await ask('somebody@googlemail.com')).toBeUndefined();
});

it('lets only some new humans of a domain a day be asked, however many ask at once', async () => {
  await put('limited.example', MailDomainEffect.LIMIT, 3);
  await served.admin.issueToken({ email: 'old@limited.example', agentName: 'Atlas', scopes: [], reason: '' }, by());
  const asked = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(`new${at}@limited.example`)));
  expect(asked.filter((each) => each === undefined)).toHaveLength(3);
  const refused = { code: 'rate_limited', metadata: { limited: 'domain', window: 'day' } };
  expect(asked.find((each) => each !== undefined)).toMatchObject(refused);
  const admitted = asked.indexOf(undefined);
  expect(await ask(`new${admitted}+again@limited.example`)).toBeUndefined();
  expect(await ask('old@limited.example')).toBeUndefined();
  served.clock.forward(24 * 3_600_000);
  expect(await ask('tomorrow@limited.example')).toBeUndefined();
});

it('lists the rules with who made them and why, and writes each change to the log', async () => {
  const first = await domains.listMailDomainRules({ pageSize: 1, pageToken: '' }, by());
  expect(first.rules).toMatchObject([{ domain: 'good.wave.example', actor: 'ana', reason: 'T-7' }]);
  const rest = await domains.listMailDomainRules({ pageSize: 0, pageToken: first.nextPageToken }, by());
  expect(rest.rules.map(({ domain }) => domain)).toEqual(['limited.example', 'xn--mnchen-3ya.example']);
  expect(rest).toMatchObject({ rules: [{ effect: MailDomainEffect.LIMIT, humansADay: 3 }, {}], nextPageToken: '' });
  const log = await served.db.collection('transitions').find({ subject: 'mail_domain', id: 'wave.example' }).toArray();
  expect(log.map(({ to, actor, reason }) => [to, actor, reason])).toEqual([
    ['refused', 'ana', 'T-7'],
    ['cleared', 'ana', 'over'],
  ]);
});

it.each([
  ['jane@wave.example', MailDomainEffect.REFUSE, 0, 'T-7', /^domain /],
  ['example', MailDomainEffect.REFUSE, 0, 'T-7', /^domain /],
  ['wave .example', MailDomainEffect.REFUSE, 0, 'T-7', /^domain /],
  ['wave.example', MailDomainEffect.UNSPECIFIED, 0, 'T-7', /effect/],
  ['wave.example', MailDomainEffect.LIMIT, 0, 'T-7', /^humans_a_day /],
  ['wave.example', MailDomainEffect.LIMIT, 1_001, 'T-7', /^humans_a_day /],
  ['wave.example', MailDomainEffect.REFUSE, 5, 'T-7', /^humans_a_day /],
  ['wave.example', MailDomainEffect.REFUSE, 0, ' ', /^reason /],
])('refuses a rule for %j with %s, %i humans and the reason %j', async (domain, effect, humans, reason, message) => {
  const fault = await refusal(put(domain, effect, humans, reason));
  expect(fault).toMatchObject({ code: 'validation_error', message: expect.stringMatching(message) });
});

it.each([
  ...['*@wave.example', 'spam*@wave.example', '%@wave.example', '@wave.example', 'wave.example', '*@*.wave.example'],
])('refuses to block %s: it names no mailbox, and the message leads to the rules for domains', async (email) => {
  const fault = await refusal(served.admin.blockRequests({ email, days: 0, reason: 'spam' }, by()));
  expect(fault?.message).toContain('knowledge domain refuse wave.example');
});
