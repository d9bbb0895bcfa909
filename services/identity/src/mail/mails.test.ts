import { expect, it } from 'vitest';
import { accessMail, blockedMail, endedMail, linkMail } from './access-mails.js';
import { confirmationMail, mailedName } from './confirmation-mail.js';

const asked = {
  agentName: "Ana's agent (v2)",
  scopes: ['write:inquiry' as const, 'write:story' as const],
  userCode: 'WDJB-MJHT',
  createdAt: new Date('2026-11-21T06:48:00Z'),
  expiresAt: new Date('2026-11-22T06:48:00Z'),
  decidedAt: null,
  origin: 'agent' as const,
  renews: null,
};
const link = 'https://knowledge.example/api/v1/agent/authorize/confirm?code=x.y';
const own = { url: link, until: new Date('2027-05-22T10:00:00Z') };

/** A text in one line. */
const lineOf = ({ text }: { text: string }) => text.replace(/\s+/g, ' ');

it('contains everything that a human needs for the decision, as text and as HTML', () => {
  const { subject, text, html } = confirmationMail(asked, { link, lifeMinutes: 30 });
  expect(subject).toBe('An agent asks for access in your name');
  const words = [
    ...['21 November 2026 at 06:48 UTC', 'WDJB-MJHT', '30 minutes', '20 May 2027'],
    ...['ask our moderators private questions', 'write public stories', 'we never add your e-mail address'],
    ...['we have not checked it', 'choose No'],
  ];
  for (const each of words) for (const part of [lineOf({ text }), html]) expect(part).toContain(each);
  expect(text).toContain("Ana's agent (v2)");
  expect(html).toContain('Ana&#39;s agent (v2)');
  expect(text).not.toContain('answer the question');
});

it.each([
  ['Ihr Konto ist gesperrt', 'of several words, which only the page shows'],
  ['Your-account_is-locked now', 'of several words, which only the page shows'],
  ['您的账户已被锁定', 'of several words, which only the page shows'],
  ['telegram spamking', 'of several words, which only the page shows'],
  ["Ana's agent", "“Ana's agent”"],
  ['claude-sonnet-4-20250514', '“claude-sonnet-4-20250514”'],
])('shows the unknown name %j as %s', (agentName, shown) => {
  const no = { agentName, decidedAt: asked.createdAt, address: '' };
  const earlier = { declined: [no], agentNames: [] };
  const text = lineOf(confirmationMail({ ...asked, agentName }, { link, lifeMinutes: 30, earlier }));
  expect(text.split(shown)).toHaveLength(3);
  expect(text.includes(agentName)).toBe(shown.includes(agentName));
});

it('does not show a user code that the human must type', () => {
  const text = lineOf(confirmationMail({ ...asked, userCode: '' }, { link, lifeMinutes: 1 }));
  for (const words of ['If nobody has shown you one, choose No.', 'one minute']) expect(text).toContain(words);
});

it('links only to the confirmation page', () => {
  const end = { from: 'issued', to: 'revoked', actor: 'human', at: asked.createdAt, reason: '', revision: 3 };
  const mails = [
    confirmationMail(asked, { link, lifeMinutes: 30 }),
    accessMail(asked, own),
    endedMail(asked, end, own),
    linkMail(own),
    blockedMail({ until: null, reason: '' }, false, own),
  ];
  for (const each of mails.slice(1))
    expect(lineOf(each)).toContain('The link works until 22 May 2027 (UTC) at the latest.');
  for (const { text, html } of mails) {
    expect([...text.matchAll(/https?:\S+/g)].map(([url]) => url)).toEqual([link]);
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual([link]);
  }
});

it('reports earlier Nos, and an agent of the same name that has access', () => {
  const no = { agentName: 'Atlas', decidedAt: new Date('2026-11-20T10:00:00Z'), address: '' };
  const textOf = (earlier: Parameters<typeof confirmationMail>[1]['earlier'], changes = {}) =>
    lineOf(confirmationMail({ ...asked, agentName: 'Atlas 2', ...changes }, { link, lifeMinutes: 30, earlier }));
  const text = textOf({ declined: [no, no], agentNames: ['Other', 'АTLАS'] });
  expect(text).toContain('You said no to 2 requests in the last 30 days, the last time on 20 November 2026');
  expect(text).toContain('An agent called “АTLАS” has access from you already.');
  expect(textOf({ declined: [], agentNames: ['Other'] })).not.toMatch(/You said no|already/);
  const renews = { tokenId: 't', agentName: 'Atlas' };
  expect(textOf({ declined: [no], agentNames: ['Atlas'] }, { renews })).not.toMatch(/You said no to|already\. This/);
});

it('offers an end of the links that come because of a block alone', () => {
  const { text } = linkMail(own, 'block_link');
  expect([...text.matchAll(/https?:\S+/g)].map(([url]) => url)).toEqual([link, `${link}#links`]);
  expect(text).toContain('once a week at most');
  expect(linkMail(own).text).not.toContain('#links');
});

it('distinguishes access that the human confirmed from access that support gave', () => {
  expect(accessMail(asked, own).text).toContain('Thank you.');
  expect(accessMail({ ...asked, origin: 'support' }, own).text).toContain('support team');
});

it('names who ended an access and what happens to waiting contributions', () => {
  const words = (actor: string, withdrawWaiting: boolean) => {
    const end = { from: 'issued', to: 'revoked', actor, at: asked.createdAt, reason: '', revision: 3, withdrawWaiting };
    return lineOf(endedMail(asked, end, own));
  };
  expect(words('human', true)).toMatch(
    /As you wished, “Ana's agent \(v2\)” can .* If texts of it still waited for review, they are withdrawn\. Moderators can read them for 30 days, unless you erase them/,
  );
  expect(words('ana', true)).toContain('Our team ended this access');
  expect(words('ana', true)).not.toContain('ana ');
  expect(words('agent', false)).toMatch(/gave its access back.* If texts of it wait for review, they go on waiting/);
});

it('says that all earlier links are useless, where they are', () => {
  expect(linkMail(own, 'new_link').text).not.toContain('nothing has changed');
  expect(linkMail(own, 'new_link').text).toContain('useless');
  expect(lineOf(linkMail(own))).toContain('nothing has changed');
});

it('does not mention contributions if the agent could not send any', () => {
  const end = { from: 'issued', to: 'revoked', actor: 'human', at: asked.createdAt, reason: '', revision: 3 };
  const words = (changes: object) => endedMail({ ...asked, scopes: [], ...changes }, end, own).text;
  expect(words({})).not.toMatch(/texts|published/);
  expect(words({ renews: { tokenId: 'x', agentName: 'Old one' } })).toMatch(/texts.*published/s);
});

it('explains that the access continues with a renewal', () => {
  const renewing = { ...asked, renews: { tokenId: 'x', agentName: 'Old one' } };
  const renewedUntil = new Date('2027-01-05T00:00:00Z');
  const words = lineOf(confirmationMail(renewing, { link, lifeMinutes: 30, renewedUntil }));
  expect(words).toContain('An agent that can act for you already asked us to let it go on');
  expect(words).toContain('it renews the access that “Old one” has');
  expect(words).toContain('Your earlier yes still holds until 5 January 2027 (UTC). To stop that agent before');
  expect(words).not.toMatch(/Somebody|gets nothing/);
  const late = lineOf(confirmationMail(renewing, { link, lifeMinutes: 30 }));
  expect(late).toContain('It asked with the access that “Old one” had from you, which has ended.');
  expect(late).toContain('without your yes the agent gets nothing');
  expect(lineOf(accessMail(renewing, own))).toContain('renews the access that “Old one” has');
});

it.each([
  ['GPT-4.1', 'GPT-4.1'],
  ['evil.example', 'evil.\u200aexample'],
  ['research-agent/2.1', 'research-agent/\u200a2.1'],
  ['www.a.b/c', 'www.\u200aa.\u200ab/\u200ac'],
  ['1.2/3', '1.2/\u200a3'],
  ['Dr. Watson', 'Dr. Watson'],
])('mails the name %s in a form that no mail program turns into a link', (name, mailed) => {
  expect(mailedName(name)).toBe(mailed);
});
