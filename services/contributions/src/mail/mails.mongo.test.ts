import { randomUUID } from 'node:crypto';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { closeAll } from '@knowledge/runtime';
import { startServiceProcess, startSmtpSink } from '@knowledge/runtime/testing';
import { afterAll, expect, it, vi } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

// Runs the built identity service, which makes the access keys for the links.
const sink = await startSmtpSink();
const database = `mails_identity_${randomUUID().slice(0, 8)}`;
const mail = {
  SMTP_URL: sink.url,
  MAIL_FROM: 'Knowledge <no-reply@example.org>',
  OPERATOR_NAME: 'Example Ltd',
  OPERATOR_CONTACT: 'help@example.org',
  PRIVACY_URL: 'https://example.org/privacy',
};
const identity = await startServiceProcess('identity', database, mail);
let skipMs = 0;
const service = await startReplicas('mails', {
  clock: () => new Date(Date.now() + skipMs),
  env: { ...mail, IDENTITY_ADDRESS: identity.address, PUBLIC_URL_ORG: 'https://org.example' },
  drop: { identity: database },
});
afterAll(() => closeAll([sink, service, identity]));

const sentTo = (email: string) => sink.mails.filter(({ to }) => to.includes(email));

it('each reach the human once, from two replicas', async () => {
  const told: [string, string][] = [];
  for (let i = 0; i < 10; i++) {
    const { decide } = service.at(i);
    const person = randomUUID();
    const rejected = await seedContribution(service.db, { email: `${person}+r@example.org`, title: 'A <b>title</b>' });
    await decide(rejected.id, Decision.REJECT, { reason: 'Not about <i>practice</i>.' });
    const inquiry = await seedContribution(service.db, { type: 'inquiry', email: `${person}+a@example.org` });
    await decide(inquiry.id, Decision.ANSWER, { text: 'So it is done.' });
    told.push([rejected.email, 'Your story was not accepted'], [inquiry.email, 'An answer to your question']);
  }
  await vi.waitUntil(() => sink.mails.length >= told.length);
  for (const [email, subject] of told) {
    const mails = sentTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.mail.subject).toBe(subject);
    expect(mails[0]?.to).toEqual([email]);
  }
  const one = sentTo(told[0]?.[0] ?? '')[0]?.mail;
  expect(one?.text).toContain('Not about <i>practice</i>.');
  expect(one?.html).toContain('Not about &lt;i&gt;practice&lt;/i&gt;.');
  const delivered = () => service.db.collection('contributions').countDocuments({ 'mails.state': 'sent' });
  await vi.waitUntil(async () => (await delivered()) === told.length);
});

it('are sent only when the catalog has the object of their link', async () => {
  // No content service runs here. So the publication waits, and its mail waits too.
  const { id } = await seedContribution(service.db, { email: 'waits@example.org' });
  const [{ decide }] = service.replicas;
  await decide(id, Decision.APPROVE_AND_PUBLISH);
  const retracted = await decide(id, Decision.RETRACT, { reason: 'an error' });
  expect(retracted.contribution?.mails.map(({ purpose }) => purpose)).toEqual(['published', 'retracted']);
  await vi.waitUntil(() => sentTo('waits@example.org').length === 1);
  expect(sentTo('waits@example.org')[0]?.mail.subject).toBe('Your story was taken down');
});

it.each([true, false])(
  'about 20 rejections of one human in some minutes are one mail, also if the first is reopened: %s',
  async (reopenedFirst) => {
    const email = `${randomUUID()}@example.org`;
    const texts = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        seedContribution(service.db, { email, title: `Text ${at} of 20`, ...(at === 7 && { type: 'inquiry' }) }),
      ),
    );
    const other = await seedContribution(service.db, { email, title: 'It is reopened meanwhile' });
    const reasonOf = (at: number) => (at < 10 ? 'Advertising.' : 'Off topic.');
    const decide = ({ id, type }: (typeof texts)[0], at: number) => {
      const decision = type === 'inquiry' ? Decision.CLOSE : Decision.REJECT;
      return service.at(at).decide(id, decision, { reason: reasonOf(at) });
    };
    const [first, ...rest] = reopenedFirst ? [other, ...texts] : [...texts, other];
    await decide(first as typeof other, 0);
    await Promise.all(rest.map((each, at) => decide(each, at)));
    await service.replicas[0].decide(other.id, Decision.REOPEN);
    skipMs += 181_000;
    await vi.waitUntil(() => sentTo(email).length === 1, 15_000);
    const { subject, text = '' } = sentTo(email)[0]?.mail ?? {};
    expect(subject).toBe('20 texts in your name were not accepted');
    for (const [at, { type }] of texts.entries())
      expect(text).toContain(type === 'inquiry' ? 'You asked: It went well' : `Title: Text ${at} of 20`);
    expect(text).not.toContain('reopened meanwhile');
    expect(text.match(/Advertising\.|Off topic\./g)).toHaveLength(2);
    skipMs += 181_000;
    const states = async () => {
      const records = await Promise.all(texts.map(({ id }) => service.replicas[1].record(id)));
      return records.flatMap(({ mails }) => mails.map(({ state }) => state)).sort();
    };
    await expect.poll(states).toEqual([...Array(19).fill('joined'), reopenedFirst ? 'joined' : 'sent']);
    // The mail about the decision still waited, so no mail takes it back.
    const ofOther = async () => (await service.replicas[1].record(other.id)).mails.map(({ state }) => state);
    await expect.poll(ofOther).toEqual(reopenedFirst ? ['sent for others'] : []);
    expect(sentTo(email)).toHaveLength(1);
  },
);

it.each(['rejected again', 'reopened'])('about a text that is %s tell the last reason of each, once', async (then) => {
  const email = `${randomUUID()}@example.org`;
  const [{ decide, moderation, record }] = service.replicas;
  const { id } = await seedContribution(service.db, { email });
  const edited = await seedContribution(service.db, { email });
  await decide(id, Decision.REJECT, { reason: 'The first reason.' });
  await decide(id, Decision.REOPEN);
  const isAgain = then === 'rejected again';
  const edit = { id: edited.id, expectedRevision: 0, title: 'Another title', reason: 'Clearer.' };
  await moderation.editContribution({ ...edit, remove: [], forgetBefore: false }, by());
  for (const each of isAgain ? [id, edited.id] : [edited.id])
    await decide(each, Decision.REJECT, { reason: 'The second reason.' });
  skipMs += 181_000;
  await vi.waitUntil(() => sentTo(email).length === 1, 15_000);
  const text = sentTo(email)[0]?.mail.text?.replace(/\s+/g, ' ');
  expect(text).toMatch(/^(?=.*The second reason\.)(?!.*The first)/);
  expect(text).toContain(isAgain ? 'title (a moderator edited it; your page shows what changed)' : '{+Another title+}');
  const told = { state: isAgain ? 'sent' : 'sent for others', attempts: 1, sentAt: expect.any(Date) };
  const mails = async () => (await record(id)).mails;
  await expect.poll(mails).toMatchObject(isAgain ? [told, { state: 'joined' }] : [told]);
  if (isAgain) await decide(id, Decision.REOPEN);
  const later = () => sentTo(email).flatMap(({ mail }, at) => (at > 0 ? [mail.subject] : []));
  await expect.poll(later).toEqual(isAgain ? ['A moderator looks at your story again'] : []);
});
