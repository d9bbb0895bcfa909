import type { ContributionState } from '@knowledge/runtime/product';
import { describe, expect, it } from 'vitest';
import { contributionOf } from '../testing/texts.js';
import type { Contribution } from './contribution.js';
import { eraseContribution } from './erasure.js';

const now = new Date('2026-06-02T00:00:00Z');
const act = { actor: 'support', at: now, reason: '' };
const person = { name: 'Jo Doe', agentName: 'Atlas of Jo' };

function contribution(state: ContributionState): Contribution {
  const told = state === 'published' || state === 'retracted';
  const action = state === 'published' ? 'publish' : 'retract';
  return contributionOf({
    ...{ state, title: 'The title of Jo', body: 'The body of Jo Doe.', ...person, language: 'en', textHash: 'h' },
    ...{ note: 'Jo said so', reason: 'Jo said so', answer: 'An answer to Jo', submittedAt: now, revision: 3 },
    publishedAt: told ? now : null,
    history: [{ from: '', to: state, actor: 'token:t', at: now, reason: 'Jo said so', revision: 1 }],
    publication: told ? { action, revision: 3, reason: '', attempts: 1, dueAt: null } : null,
    catalogRevision: state === 'published' ? 3 : 0,
  });
}

describe('eraseContribution', () => {
  it('keeps a published text without its author, and updates the catalog', () => {
    const erased = eraseContribution(contribution('published'), false, act);
    if (erased.kind !== 'anonymized') throw new Error('it went');
    const { contribution: left } = erased;
    const text = { title: 'The title of Jo', body: 'The body of Jo Doe.' };
    expect(left).toMatchObject({ state: 'published', ...text, revision: 4 });
    expect(left).toMatchObject({ name: null, email: '', tokenId: '', agentName: '' });
    expect(left.publication).toMatchObject({ action: 'publish', revision: 4, dueAt: now });
    expect(left.history.at(-1)).toMatchObject({ from: 'published', to: 'published', actor: 'support', revision: 4 });
  });

  it('removes a published text from the catalog if the works are erased too', () => {
    const erased = eraseContribution(contribution('published'), true, act);
    if (erased.kind !== 'deleted') throw new Error('it stayed');
    expect(erased.remains.publication).toMatchObject({ action: 'retract', revision: 4, dueAt: now });
  });

  it.each<ContributionState>([
    ...(['pending_review', 'approved', 'retracted', 'rejected', 'withdrawn', 'answered', 'closed'] as const),
  ])('leaves nothing of the person or the text of one that is %s', (state) => {
    // Also of a field that the erasure does not know.
    const before = { ...contribution(state), looks: [{ actor: 'jo', revision: 1 }], later: 'Ask Jo' };
    const erased = eraseContribution(before, false, act);
    if (erased.kind !== 'deleted') throw new Error('it stayed');
    expect(JSON.stringify(erased.remains)).not.toMatch(/jo|atlas/i);
    expect(erased.remains).toMatchObject({ title: null, body: '', prompt: null, reason: '', note: '', answer: '' });
    expect(erased.remains.history.at(-1)).toMatchObject({ from: state, to: 'erased', revision: 4 });
    expect(erased.remains.publication === null).toBe(state !== 'retracted');
  });
});

it('removes the sender in both cases, and adds time and reason to the history', () => {
  for (const withWork of [false, true]) {
    const erased = eraseContribution(contribution('published'), withWork, act);
    const left = erased.kind === 'deleted' ? erased.remains : erased.contribution;
    expect(left).toMatchObject({ authorizationId: '', textHash: '', duplicateOf: null, updatedAt: now });
    expect(left.history.at(-1)).toMatchObject({ actor: 'support', at: now, reason: 'erased' });
    expect(left.history).toHaveLength(2);
    expect(left.history[0]?.reason).toBe('');
    expect(left).toMatchObject({ reason: '', note: '', answer: '' });
    expect(left.publication?.reason).toBe(withWork ? 'erased' : '');
    expect(left.body).toBe(withWork ? '' : 'The body of Jo Doe.');
  }
});
