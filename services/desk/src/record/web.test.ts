import type { Role } from '@knowledge/runtime/grpc';
import { describe, expect, it } from 'vitest';
import { transitionWords } from '../base/transition.js';
import type { EventView } from './sources.js';
import { readRecordQuery, recordFormats, recordPage, recordSearch, toWatchOptions } from './web.js';

const now = new Date('2026-06-10T12:00:00Z');
const nasty = '=1+1"><script>alert(1)</script>\u202e';
const event: EventView = {
  service: 'contributions',
  subject: 'contribution',
  id: 'c1',
  site: 'org',
  title: nasty,
  state: 'rejected',
  from_state: 'pending_review',
  to_state: 'rejected',
  actor: nasty,
  occurred_at: '2026-06-10T11:00:00.000Z',
  reason: nasty,
  revision: 2,
};

describe('the filter of the record', () => {
  it('is the last 24 hours, and never ends in the future', () => {
    const { since, until, audit } = toWatchOptions(readRecordQuery({ to: '2030-01-01' }), now);
    expect([since.toISOString(), until.toISOString(), audit]).toEqual([
      '2026-06-09T12:00:00.000Z',
      '2026-06-10T12:00:00.000Z',
      false,
    ]);
    expect(toWatchOptions(readRecordQuery({ looks: 'yes' }), now).audit).toBe(true);
  });

  it.each([
    [{ from: 'yesterday' }, /^from must be a time/],
    [{ to: '2026-02-30' }, /^to must be a time/],
    [{ from: '2026-06-11' }, /^from must be before To/],
    [{ from: '2024-06-10', to: '2026-06-10' }, /^from must be at most one year/],
    [{ subject: 'weather' }, /^subject must be one of article/],
    [{ by: ['a', 'b'] }, /^by: must be sent once/],
  ])('refuses %j', (query, message) => {
    expect(() => toWatchOptions(readRecordQuery(query), now)).toThrow(message);
  });

  it('is kept in the links to the files', () => {
    const query = { from: '2026-06-01', to: '', by: 'ada', subject: 'token', id: '', looks: 'yes', page: '0' };
    const again = Object.fromEntries(new URLSearchParams(recordSearch(readRecordQuery(query))));
    expect(again).toEqual({ from: '2026-06-01', by: 'ada', subject: 'token', looks: 'yes' });
  });
});

const shownTo = (role: Role, shown: EventView) => {
  const view = { query: readRecordQuery({ by: nasty }), events: [shown], refused: ['identity' as const] };
  return (recordPage({ ...view, older: undefined }, { roles: [role] }).main as { markup: string }).markup;
};

it.each([
  ['moderator', {}, '/queue/c1'],
  ['support', {}, '/people/id/c1'],
  ['reader', {}, undefined],
  ['editor', { subject: 'article', slug: 'a-b' }, '/articles/org/a-b'],
  ['editor', { subject: 'article', slug: 'a-b', state: 'deleted' }, undefined],
  ['moderator', { subject: 'article', slug: 'a-b' }, undefined],
  ['reader', { subject: 'person', id: 'h&h' }, '/record?id=h%26h&amp;looks=yes'],
] as const)('leads %s from %j to its page, if they may open it', (role, fields, path) => {
  const markup = shownTo(role, { ...event, ...fields });
  const row = markup.slice(markup.indexOf('<tbody>'));
  expect(/<a href="([^"]+)"/.exec(row)?.[1]).toBe(path);
});

it('shows texts of strangers as text, and seconds', () => {
  const markup = shownTo('moderator', event);
  expect(markup).not.toContain('<script');
  expect(markup).toContain('>2026-06-10 11:00:00</time>');
  expect(markup).toContain('pending review → rejected');
  expect(markup).toContain('Your role does not see the logs of identity.');
});

it.each([
  ['published', 'proposed', { reason: 'a typing error' }, 'edit proposed', 'a typing error'],
  [
    'pending_review',
    'decided',
    { decision: 'reject', reason: 'off topic' },
    'decision, can be undone',
    'Rejected: off topic',
  ],
  ['pending', 'declined', { reason: '' }, 'pending → declined', ''],
])('names an entry that changes no state: %s to %s', (from_state, state, fields, change, why) => {
  const markup = shownTo('moderator', { ...event, from_state, state, to_state: state, ...fields });
  expect(markup).toContain(`<td>${change}</td>`);
  expect(markup).toContain(why);
  expect(transitionWords(from_state, state)).toBe(change);
});

describe('a saved record', () => {
  it('has no formula in its CSV, and a row for each event', () => {
    const [head, row] = recordFormats.csv.format([event]).split('\n');
    expect(head).toMatch(/^\ufeff?occurred_at,service,subject,name,/);
    expect(row).toContain(`"'=1+1""><script>`);
  });

  it('has the events as JSON lines', () => {
    const lines = recordFormats.jsonl.format([event, event]).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([event, event]);
  });
});
