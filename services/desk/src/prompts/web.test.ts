import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Html } from '@knowledge/runtime/html';
import { describe, expect, it } from 'vitest';
import { presentPrompt } from './present.js';
import { promptFormPage, promptList, promptPage, readPromptForm, toCreateRequest } from './web.js';
import { gapsPage, limitDays, questionAbout } from './web-gaps.js';

const hostile = `x"hostile'hostile<hostile>hostile&hostile;</textarea></bdi><script>alert(1)</script>`;
const at = new Date('2026-06-01T09:00:00Z');
const sent = {
  ...{ id: 'p1', site: 'SITE_ORG', question: hostile, state: PromptState.SCHEDULED },
  ...{ opensAt: at, closesAt: at, createdAt: at, revision: 1 },
} as Parameters<typeof presentPrompt>[0];

describe('the form of a prompt', () => {
  it('keeps what was entered, and the id with which it was made', () => {
    const fields = { id: 'p1', site: 'org', question: ' Why? ', opens_at: '2026-06-01 09:00', activate: 'yes' };
    const form = readPromptForm(fields, 'another');
    expect(form).toMatchObject({ id: 'p1', question: 'Why?', opens_at: '2026-06-01 09:00', activate: true });
    expect(toCreateRequest(form)).toMatchObject({ site: 'SITE_ORG', opensAt: at, closesAt: undefined, activate: true });
  });

  it.each([
    [{ site: '' }, 'site must be chosen.'],
    [{ site: 'org', opens_at: 'soon' }, /^opens_at must be a time/],
    [{ site: 'org', closes_at: '2026-02-30' }, /^closes_at must be a time/],
  ])('refuses %j', (fields, message) => {
    expect(() => toCreateRequest(readPromptForm(fields, 'p1'))).toThrow(message);
  });

  it('begins with a question about the words of a search', () => {
    const form = readPromptForm({ question: questionAbout('zero trust') }, 'p1');
    expect(form.question).toBe(
      'What have you learnt about “zero trust” where you work, and what would you do differently?',
    );
  });
});

const moderator = { roles: ['moderator'] } as const;
const limit = { counts: 'email', limit: 3, window: 'day', ceiling: null };
const limits = [
  { ...limit, policy: 'read_client_id', used_up: [{ day: '2026-06-02', subjects: 4 }] },
  { ...limit, policy: 'contribute_mailbox', used_up: [{ day: '2026-06-03', subjects: 9 }] },
  {
    ...{ ...limit, policy: 'read_verified_email' },
    used_up: [
      { day: '2026-06-02', subjects: 2 },
      { day: '2026-06-01', subjects: 1 },
    ],
  },
];

it('lists the days on which readers met a limit of articles, newest first', () => {
  expect(limitDays(limits)).toEqual([
    { day: '2026-06-02', met: { read_client_id: 4, read_verified_email: 2 } },
    { day: '2026-06-01', met: { read_verified_email: 1 } },
  ]);
});

it('leads from a gap to a form that is complete', () => {
  const gaps = [{ words: 'zero trust', readers: 5, notFound: 4, notRead: 1 }];
  const { markup } = gapsPage({ gaps }, [], [], true).main as Html;
  const query = /\/prompts\/new\?([^"]*)"/.exec(markup)?.[1]?.replaceAll('&amp;', '&');
  const form = readPromptForm(Object.fromEntries(new URLSearchParams(query)), 'p1');
  expect(toCreateRequest(form)).toMatchObject({ site: 'SITE_ORG', question: questionAbout('zero trust') });
});

it('shows texts of strangers as text on every page', () => {
  const history = [
    { fromState: '', toState: 'scheduled', actor: hostile, occurredAt: at, reason: hostile, revision: 1 },
  ];
  const form = { id: hostile, site: hostile, question: hostile, opens_at: hostile, closes_at: hostile, activate: true };
  const faults = { of: { site: hostile, question: hostile, opens_at: hostile }, others: [hostile] };
  const pages = [
    promptList({ prompts: [sent], nextPageToken: hostile }, { site: hostile, state: hostile }, moderator),
    promptPage(presentPrompt(sent), history, moderator, { form: { question: hostile }, faults }),
    promptFormPage({ form, faults }),
    gapsPage(
      { gaps: [{ words: hostile, readers: 5, notFound: 4, notRead: 1 }] },
      [{ site: 'SITE_ORG' as Site, slug: hostile, title: hostile, reads: 3 }],
      limits,
      true,
    ),
  ];
  for (const { main } of pages) {
    const { markup } = main as Html;
    expect(markup).toContain('hostile');
    expect(markup.match(/<hostile|&hostile|<script/)).toBeNull();
    expect((markup.match(/<[^>]*>/g) ?? []).join('').match(/["']hostile/)).toBeNull();
  }
});

it.each([
  ['reader', [], ['/prompts/p1/close', '/queue?', '/prompts/p1/correct']],
  ['editor', ['/prompts/p1/close', '/prompts/p1/correct'], ['/queue?']],
  ['moderator', ['/prompts/p1/close', '/queue?'], []],
] as const)('offers a %s only what they may do', (role, offered, hidden) => {
  const { markup } = promptPage(presentPrompt(sent), [], { roles: [role] }).main as Html;
  for (const path of offered) expect(markup).toContain(`"${path}`);
  for (const path of hidden) expect(markup).not.toContain(`"${path}`);
});
