import { expect, it } from 'vitest';
import { accessMail } from './access-mail.js';
import { confirmationMail } from './confirmation-mail.js';

const asked = {
  agentName: "Ana's agent (v2)",
  scopes: ['write:inquiry' as const, 'write:story' as const],
  userCode: 'WDJB-MJHT',
  createdAt: new Date('2026-11-21T06:48:00Z'),
  expiresAt: new Date('2026-11-22T06:48:00Z'),
  decidedAt: null,
  origin: 'agent' as const,
};
const link = 'https://knowledge.example/api/v1/agent/authorize/confirm?code=x.y';

it('asks with everything that a human needs to decide, in both parts', () => {
  const { subject, text, html } = confirmationMail(asked, link, 30);
  expect(subject).toBe('An agent asks for access in your name');
  const words = [
    '21 November 2026 at 06:48 UTC',
    'WDJB-MJHT',
    '30 minutes',
    'send inquiries',
    'hand in stories',
    'Decline',
  ];
  for (const each of words) {
    expect(text.replace(/\s+/g, ' ')).toContain(each);
    expect(html).toContain(each);
  }
  expect(text).toContain("Ana's agent (v2)");
  expect(html).toContain('Ana&#39;s agent (v2)');
  expect(text).not.toContain('prompt');
});

it('does not show a user code that must be typed', () => {
  const { text } = confirmationMail({ ...asked, userCode: '' }, link, 1);
  expect(text.replace(/\s+/g, ' ')).toContain('If nobody has shown you one, decline.');
  expect(text).toContain('one minute');
});

it('links nowhere but to the one page', () => {
  for (const { text, html } of [confirmationMail(asked, link, 30), accessMail(asked, link)]) {
    expect([...text.matchAll(/https?:\S+/g)].map(([url]) => url)).toEqual([link]);
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual([link]);
  }
});

it('tells apart what the human gave and what support gave', () => {
  expect(accessMail(asked, link).text).toContain('Thank you.');
  expect(accessMail({ ...asked, origin: 'support' }, link).text).toContain('support team');
});
