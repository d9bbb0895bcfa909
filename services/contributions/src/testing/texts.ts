import { randomUUID } from 'node:crypto';
import type { Background } from '../checks/check.js';
import type { Contribution } from '../domain/contribution.js';
import { unsent } from '../domain/sent-fields.js';
import { makeContribution, type Submission } from '../domain/submission.js';

/** A story that waits for review, with these fields. */
export function contributionOf(fields: Partial<Contribution> = {}): Contribution {
  const submittedAt = fields.submittedAt ?? new Date('2026-06-01T00:00:00Z');
  return {
    ...unsent,
    ...{ id: '11111111-1111-4111-8111-111111111111', type: 'story', site: 'org', state: 'pending_review' },
    ...{ title: 'A title', body: 'A body that is long enough.', name: 'Jo', email: 'jo@example.org', tokenId: 't' },
    ...{ agentName: 'Atlas', authorizationId: 'a1', textHash: '', duplicateOf: null, note: '', reason: '', answer: '' },
    ...{ submittedAt, updatedAt: submittedAt, reviewedAt: null, publishedAt: null, revision: 1, catalogRevision: 0 },
    history: [{ from: '', to: 'pending_review', actor: 'token:t', at: submittedAt, reason: '', revision: 1 }],
    ...{ textChanges: [], publication: null, held: null, proposal: null, looks: [], agentEnd: null, ...fields },
  };
}

/** What an agent of Jo sends: a story, with these fields. */
export function submissionOf(fields: Partial<Submission> = {}): Submission {
  const scopes = ['write:story', 'write:inquiry', 'write:prompt_reply'];
  return {
    ...{ id: randomUUID(), type: 'story', site: 'org', title: 'What we learned' },
    ...{ body: 'It went well, and this is why.', name: undefined, promptId: undefined, language: undefined },
    contributor: { email: 'jo@example.org', tokenId: 't1', scopes, agentName: 'Atlas', authorizationId: 'a1' },
    ...{ idempotencyKey: undefined, payloadHash: 'ab'.repeat(32), ...fields },
  };
}

/** The contribution that this submission makes, in English. */
export function sentAt(at: Date, fields: Partial<Submission> = {}): Contribution {
  return makeContribution(submissionOf(fields), undefined, 'en', at);
}

/** What is known of a human and an agent who sent something before, and nothing wrong. */
export const usualBackground: Background = {
  ...{ rejected: 0, earlier: 3, ofAgentToday: 0, nearest: undefined, published: undefined, secrets: [] },
  ...{ languages: { stated: '', recognised: '' }, waves: [], borrowed: undefined },
};
