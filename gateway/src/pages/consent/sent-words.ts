import type { Contribution, ContributionStep } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { type ContributionTypeName, fromWireContributionState, fromWireType } from '../../present/contribution.js';

/** The types of contributions in words for humans. */
export const typeWords: Readonly<Record<ContributionTypeName, string>> = {
  inquiry: 'Private question',
  story: 'Story',
  prompt_reply: 'Reply to a question of ours',
};

/** The state of a contribution as a sentence. */
export function stateWords(contribution: Contribution): string {
  const inquiry = fromWireType(contribution.type) === 'inquiry';
  switch (fromWireContributionState(contribution.state)) {
    case 'pending_review':
      return inquiry
        ? 'It waits for an answer of a moderator.'
        : 'It waits for a moderator. Only you, this agent and the moderators can read it.';
    case 'approved':
      return 'A moderator accepted it. It is not published yet.';
    case 'published':
      return 'It is published: everybody can read it.';
    case 'retracted':
      return 'It was taken down. Nobody can read it any more.';
    case 'rejected':
      return 'A moderator did not accept it. It was never published.';
    case 'withdrawn':
      return 'It is withdrawn. It was never published.';
    case 'answered':
      return 'A moderator answered it. Question and answer stay private.';
    default:
      return 'A moderator closed it without an answer. It stays private.';
  }
}

/** A transition of a contribution in words for its human. */
export function transitionWords({ state, by }: ContributionStep): string {
  const name = fromWireContributionState(state);
  if (name === 'retracted') return by === 'human' ? 'You took it down' : 'A moderator took it down';
  if (name === 'withdrawn') return withdrawals[by] ?? 'It was withdrawn, because the access of the agent ended';
  return steps[name] ?? 'It changed';
}

const steps: Readonly<Record<string, string>> = {
  pending_review: 'The agent sent it',
  approved: 'A moderator accepted it',
  published: 'It was published',
  rejected: 'A moderator did not accept it',
  answered: 'A moderator answered it',
  closed: 'A moderator closed it without an answer',
};

const withdrawals: Readonly<Record<string, string>> = {
  human: 'You withdrew it',
  agent: 'The agent withdrew it',
};
