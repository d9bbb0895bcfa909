import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import {
  Authorization,
  AuthorizationState,
  GetConfirmationResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { describe, expect, it } from 'vitest';
import type { RequestView } from './not-granted-pages.js';
import { statePage } from './state-page.js';

const asked = Authorization.fromPartial({
  ...{ maskedEmail: 'j•••@example.org', agentName: 'Atlas', site: Site.ORG },
  ...{ createdAt: new Date('2026-11-21T10:00:00Z'), decidedAt: new Date('2026-11-21T11:00:00Z') },
});

const page = (
  changes: Partial<GetConfirmationResponse>,
  state = AuthorizationState.ISSUED,
  view: Partial<RequestView> = {},
  own: Partial<Authorization> = {},
) => {
  const authorization = { ...asked, state, ...own };
  const shown = GetConfirmationResponse.fromPartial({ authorization });
  const { title, body } = statePage({ shown: { ...shown, ...changes }, code: 'x.y', ...view });
  const text = body.markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return { title, text: text.replace(/ ([.,:”])|(“) /g, '$1$2'), markup: body.markup };
};

describe('the page of a request whose access was renewed', () => {
  const newer = { newerAgentName: 'Atlas 2', accessUntil: new Date('2027-05-21T00:00:00Z') };

  it('says that a newer one replaced it, until when, and stops that one', () => {
    const { title, text, markup } = page(newer, AuthorizationState.RENEWED);
    expect(title).toBe('A newer access replaced this one');
    expect(text).toContain('On 21 November 2026 you said yes to “Atlas”.');
    expect(text).toContain('“Atlas 2” can act for you until 21 May 2027 (UTC).');
    expect(markup).toMatch(/<bdi>Atlas<.*<bdi>Atlas 2<.*value="decline">Stop it now<\/button>/s);
  });

  it('says after the button that it is stopped, and how many texts were withdrawn', () => {
    const ended = { newerAgentName: 'Atlas 2', endedBy: 'human', endedAt: new Date('2026-11-22T00:00:00Z') };
    const now = page(ended, AuthorizationState.RENEWED, { justNow: true, withdrawn: 2 });
    expect(now.title).toBe('✓ Stopped');
    expect(now.text).toContain('“Atlas 2” can no longer act for you.');
    expect(now.text).toContain('2 texts that waited are withdrawn.');
    const later = page(ended, AuthorizationState.RENEWED);
    expect(later.title).toBe('This access has ended');
    expect(later.text).toContain('You ended it on 22 November 2026.');
  });
});

describe('the page of a request that is over', () => {
  const endedAt = new Date('2026-11-22T00:00:00Z');

  it.each([
    [
      'The code was typed wrong 5 times.',
      'The code was typed wrong 5 times, so we closed the request of “Atlas” on 22',
    ],
    ['', 'Nobody decided in time, or the agent did not come back, so we closed the request of “Atlas” on 22'],
  ])('says why: %j', (endReason, words) => {
    const { title, text } = page({ endedAt, endReason }, AuthorizationState.EXPIRED);
    expect(title).toBe('This request is over');
    expect(text).toContain(words);
  });

  it('does not say of a button pressed too late that it stopped anything', () => {
    const { title, text } = page({ endedAt, endedBy: 'system' }, AuthorizationState.ISSUED, { justNow: true });
    expect(title).toBe('This access has ended');
    expect(text).toContain('“Atlas” can no longer act for you. Its time was over on 22 November 2026.');
  });
});

describe('the page of a request that never gave access', () => {
  const endedAt = new Date('2026-11-22T00:00:00Z');
  const pageOf = (state: AuthorizationState, changes: Partial<GetConfirmationResponse>, justNow = false) =>
    page({ endedAt, ...changes }, state, { justNow }, { decidedAt: undefined, renewedAgentName: 'Old one' });

  it('says that support withdrew it, not that an access ended', () => {
    const { title, text } = pageOf(AuthorizationState.REVOKED, { endedBy: 'support' });
    expect(title).toBe('This request was withdrawn');
    expect(text).toContain(
      'Our support team withdrew the request of “Atlas” on 22 November 2026, before you had decided.',
    );
    expect(text).toContain('This request never gave it access.');
    expect(text).not.toContain('no longer');
    expect(pageOf(AuthorizationState.REVOKED, { endedBy: 'agent' }).text).toContain(
      'The agent gave its earlier access back, and with it the request of “Atlas” on 22 November 2026, before you had decided.',
    );
  });

  it.each([AuthorizationState.DECLINED, AuthorizationState.EXPIRED])('says so in state %s', (state) => {
    expect(pageOf(state, {}).text).toContain('This request never gave it access. There is nothing more to do.');
  });

  it('says that requests were turned off', () => {
    const { text } = pageOf(AuthorizationState.DECLINED, { requestsRefused: true });
    expect(text).toContain('you said no to “Atlas”, or turned off requests from agents while it waited.');
  });

  it.each([AuthorizationState.DECLINED, AuthorizationState.EXPIRED])(
    'promises no mail about a new request in state %s while requests are turned off',
    (state) => {
      const { text, markup } = pageOf(state, { requestsRefused: true });
      expect(text).not.toMatch(/For a day|you get a new mail/);
      expect(text).toContain('turn requests on again on your own page: have its link mailed to you.');
      expect(markup).toContain('access/link"');
      expect(pageOf(state, {}).text).toMatch(/For a day|you get a new mail/);
    },
  );

  it.each([AuthorizationState.DECLINED, AuthorizationState.EXPIRED, AuthorizationState.REVOKED])(
    'says of a renewal in state %s that the earlier yes still holds, and how to stop it',
    (state) => {
      const { text, markup } = pageOf(state, { renewedUntil: new Date('2027-01-05T00:00:00Z') }, true);
      expect(text).toContain('Your earlier yes to “Old one” still holds until 5 January 2027');
      expect(text).not.toMatch(/nothing more to do|never gave/);
      expect(markup).toContain('Mail me the link to my page</button>');
    },
  );
});
