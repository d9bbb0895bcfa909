import { describe, expect, it } from 'vitest';
import type { Contribution, Notice } from '../domain/contribution.js';
import { composeMail } from './compose.js';

const at = new Date('2026-06-02T10:00:00Z');
const urls = { io: 'https://io.example', org: 'https://org.example/base/' };
const hostile = '<img src=x onerror=alert(1)> https://evil.example/?a=b www.evil.example jo@evil.example {{7*7}}';

function story(fields: Partial<Contribution> = {}): Contribution {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    type: 'story',
    site: 'org',
    state: 'published',
    title: hostile,
    body: `${hostile} ${hostile}`,
    name: hostile,
    prompt: null,
    email: 'jo@example.org',
    tokenId: 't',
    agentName: 'Atlas',
    submittedAt: at,
    updatedAt: at,
    reviewedAt: at,
    reason: '',
    answer: '',
    publishedAt: at,
    revision: 3,
    history: [{ from: 'approved', to: 'published', actor: 'mod', at, reason: '', revision: 3 }],
    publication: null,
    catalogRevision: 3,
    ...fields,
  };
}

function mail(notice: Notice, contribution: Contribution) {
  const recorded = { id: 'm', purpose: notice, state: 'pending' as const, attempts: 1, dueAt: at, sentAt: null };
  return composeMail(contribution, { ...recorded, recordedAt: at }, urls);
}

function told(to: Notice, reason: string, fields: Partial<Contribution>): Contribution {
  return story({ ...fields, history: [{ from: 'x', to, actor: 'mod', at, reason, revision: 3 }] });
}

const samples: [Notice, Contribution][] = [
  ['published', story()],
  ['rejected', told('rejected', '<b>Off topic</b> & more', { state: 'rejected' })],
  ['retracted', told('retracted', '<b>Off topic</b> & more', { state: 'retracted' })],
  [
    'answered',
    told('answered', '', { type: 'inquiry', state: 'answered', title: null, answer: '<b>Off topic</b> & more' }),
  ],
];

describe('composeMail', () => {
  it.each(samples)(
    'lets nothing that a stranger wrote in %s become markup, a link or a subject',
    (notice, contribution) => {
      const composed = mail(notice, contribution);
      if (composed === undefined) throw new Error('no mail');
      const { to, subject, text, html } = composed;
      expect(to).toBe('jo@example.org');
      expect(subject).toMatch(/^[A-Za-z ]+$/);
      expect(html).not.toMatch(/<img|<b>/);
      for (const part of [text, html]) {
        expect(part).not.toContain('evil.example');
        for (const [url] of part.matchAll(/https?:\/\/[^\s"<]+/g))
          expect(url).toMatch(/^https:\/\/org\.example\/base\//);
      }
    },
  );

  it.each(samples.slice(1))('says why in %s, in both parts', (notice, contribution) => {
    const composed = mail(notice, contribution);
    expect(composed?.text).toContain('<b>Off topic</b> & more');
    expect(composed?.html).toContain('&lt;b&gt;Off topic&lt;/b&gt; &amp; more');
  });

  it('links to the object on its site', () => {
    const url = 'https://org.example/base/objects/11111111-1111-4111-8111-111111111111?site=org';
    expect(mail('published', story())?.text).toContain(url);
  });

  it('tells the reason of its own transition, not of a later one', () => {
    const later = {
      from: 'x',
      to: 'retracted',
      actor: 'mod',
      at: new Date(at.getTime() + 1),
      reason: 'second',
      revision: 5,
    };
    const contribution = told('retracted', 'first', { state: 'retracted', reason: 'second' });
    const both = { ...contribution, history: [...contribution.history, later] };
    expect(mail('retracted', both)?.text).toContain('first');
  });

  it('says that an answer corrects the one before', () => {
    const inquiry = { type: 'inquiry', state: 'answered', title: null, answer: 'In the third table.' } as const;
    const transition = { from: 'answered', to: 'answered', actor: 'mod', at, reason: '', revision: 3 };
    expect(mail('answered', story({ ...inquiry, history: [transition] }))?.subject).toMatch(/^A corrected answer/);
    expect(mail('answered', story(inquiry))?.subject).toMatch(/^An answer/);
  });

  it('is overtaken by a retraction and by erasure', () => {
    expect(mail('published', story({ state: 'retracted' }))).toBeUndefined();
    expect(mail('rejected', story({ state: 'rejected', email: '' }))).toBeUndefined();
  });
});
