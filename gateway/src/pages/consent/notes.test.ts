import {
  Contribution,
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  Authorization,
  AuthorizationState,
  GetAccessResponse,
  GetConfirmationResponse,
  Scope,
  Token,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { type Fragment, markupOf } from '@knowledge/runtime/html';
import { describe, expect, it } from 'vitest';
import { accessPage, grantsPart } from './access-page.js';
import { confirmationPage } from './confirmation-page.js';
import { blockPart } from './consent-layout.js';
import { sentActions } from './sent-actions.js';
import { doneNote } from './sent-words.js';

const token = Token.fromPartial({ id: 't1', agentName: 'Night Shift' });
const access = { ...GetAccessResponse.fromPartial({ tokens: [token] }), eachReceipt: undefined };

const textOf = (shown: Fragment) =>
  markupOf(shown)
    .replace(/<[^>]*>/g, '')
    .trim();

it('offers to withdraw texts only where the agent may have sent some', () => {
  const live = { ...token, expiresAt: new Date(Date.now() + 60_000), authorizationId: 'a1' };
  const box = (tokens: readonly Token[]) =>
    grantsPart('k', { ...access, tokens: [...tokens] }).markup.includes('Withdraw');
  expect(box([live])).toBe(false);
  expect(box([{ ...live, scopes: [Scope.WRITE_STORY] }])).toBe(true);
  expect(box([live, { ...live, revokedAt: new Date(), scopes: [Scope.WRITE_STORY] }])).toBe(true);
});

it('names every text and its button by its title or its first words', () => {
  const inquiry = { type: ContributionType.INQUIRY, state: ContributionState.PENDING_REVIEW };
  const words = (sent: object) => textOf(sentActions(Contribution.fromPartial({ ...inquiry, ...sent } as never), 'k'));
  expect(words({ body: ' How do\n you name\u200b a team? ' })).toBe(
    'Withdraw (Private question: “How do you name a team?”)',
  );
  expect(words({ body: '😀'.repeat(99), purpose: InquiryPurpose.REPORT, about: { title: 'Labels' } })).toBe(
    `Withdraw (Report of a problem (Labels): “${'😀'.repeat(59)}…”)`,
  );
  const reply = { type: ContributionType.PROMPT_REPLY, promptQuestion: 'What broke?', body: 'The build.' };
  expect(words(reply)).toBe('Withdraw (In reply to “What broke?”: “The build.”)');
  expect(words({ ...reply, type: ContributionType.STORY, title: 'Nights' })).toBe('Withdraw (Nights)');
});

it('promises nothing about a text that others can still read', () => {
  const erasesAt = new Date('2026-12-25T10:00:00Z');
  const sent = Contribution.fromPartial({ state: ContributionState.WITHDRAWN, title: 'Nights', erasesAt });
  expect(textOf(doneNote({ changed: sent }, access))).toBe(
    '✓ Withdrawn. “Nights”: No moderator decides about it. Moderators and, while it can act for you, its agent can still read it until 25 December 2026 at 10:00 UTC; then it is erased.',
  );
  expect(textOf(sentActions(sent, 'k'))).toMatch(/Erase it now.*no moderator.*Yes, erase it/);
  const published = Contribution.fromPartial({ state: ContributionState.PUBLISHED, title: 'Nights' });
  expect(textOf(sentActions(published, 'k'))).not.toMatch(/[Nn]obody can read/);
});

it('shows the code to compare once, so that text browsers show no second one', () => {
  const shown = GetConfirmationResponse.fromPartial({ authorization: { userCode: 'WDJB-MJHT' } });
  const { body } = confirmationPage({ shown, code: 'x.y', host: 'example.org' });
  expect(body.markup).toContain('aria-label="W D J B, M J H T"');
  expect(textOf(body)?.match(/W.?D.?J.?B.{0,4}M.?J.?H.?T/g)).toEqual(['WDJB-MJHT']);
});

it('shows an agent whose access was stopped before it fetched its token', () => {
  const unused = Authorization.fromPartial({ agentName: 'Early Bird', state: AuthorizationState.REVOKED });
  const shown = textOf(grantsPart('k', { ...access, tokens: [], unusedAuthorizations: [unused] }));
  expect(shown).toMatch(/Agents that could act for you.*“Early Bird”.*stopped before it came back/s);
});

describe('after an ending', () => {
  const none = { stopped: 0, declined: 0, withdrawn: undefined };

  it.each([
    [
      { id: 't1', stopped: 1, declined: 0, withdrawn: 2 },
      '✓ Stopped. “Night Shift” can no longer act for you. 2 texts that waited are withdrawn. We confirm it by mail.',
    ],
    [
      { id: '', stopped: 2, declined: 3, withdrawn: 0 },
      '✓ Stopped. No agent can act for you any more. 3 requests that waited for your answer are declined. We confirm it by mail.',
    ],
    [
      { ...none, id: '', declined: 1 },
      '✓ Stopped. No agent can act for you any more. 1 request that waited for your answer is declined.',
    ],
    [{ ...none, id: 'a1', declined: 1 }, '✓ Declined. The agent gets no access from this request.'],
    [{ ...none, id: 't1' }, '✓ Stopped. “Night Shift” can no longer act for you.'],
  ])('of %j, the page says what it did and no more', (ending, words) => {
    expect(textOf(doneNote({ ended: ending }, access))).toBe(words);
  });
});

describe('requests from agents', () => {
  const off = { ...access, requestsRefused: true, requestsRefusedUntil: new Date('2026-12-22T00:00:00Z') };

  it('are turned off and on with a note that has the focus', () => {
    const note = doneNote({ requests: { off: true, declined: 1 } }, off);
    expect(textOf(note)).toBe(
      '✓ Saved. Requests from agents are turned off until 22 December 2026 (UTC). 1 request that waited for your answer is declined.',
    );
    expect(note?.markup).toContain('role="status" tabindex="-1" autofocus');
    expect(textOf(doneNote({ requests: { off: false, declined: 0 } }, access))).toBe(
      '✓ Saved. Agents can ask this address again.',
    );
  });

  it('are said to be off or on only where that is so', () => {
    expect(doneNote({ requests: { off: true, declined: 0 } }, access)).toBeUndefined();
    expect(doneNote({ requests: { off: false, declined: 0 } }, off)).toBeUndefined();
  });

  it('are said to be blocked before all else, and nothing is promised that the block refuses', () => {
    const tokens = [{ ...token, scopes: [Scope.WRITE_STORY], expiresAt: new Date('2999-01-01') }];
    const shown = (blocked: object) =>
      textOf(
        accessPage({ key: 'k', ...access, ...off, tokens, sent: undefined, done: {}, ...blocked } as never).body,
      ) ?? '';
    expect(shown({})).toMatch(/texts a day.*write public stories.*ask you to renew/s);
    for (const blockedUntil of [undefined, new Date('2999-01-01')]) {
      const blocked = shown({ blocked: true, blockedUntil });
      expect(blocked).toMatch(/has blocked this mailbox.*Agents that can act for you/s);
      expect(blocked).not.toMatch(/write public stories|texts a day|ask you to renew/);
      expect(blocked.includes('Until then')).toBe(blockedUntil !== undefined);
    }
  });

  it('say what becomes of agents that were kept', () => {
    expect(textOf(blockPart({ key: 'k', ...off }))).toContain('may still ask you to renew their access');
    expect(textOf(blockPart({ key: 'k', ...access }))).toContain('may still ask you to renew it');
  });
});
