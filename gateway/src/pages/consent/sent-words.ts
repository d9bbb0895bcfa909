import type { Contribution, ContributionStep } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { withoutHiddenCharacters } from '@knowledge/runtime';
import { type Fragment, minuteElement } from '@knowledge/runtime/html';
import { kinds, withdrawalReasons } from '@knowledge/runtime/product';
import {
  type ContributionStateName,
  type ContributionTypeName,
  fromWireContributionState,
  fromWirePurpose,
  fromWireType,
  type InquiryPurposeName,
} from '../../present/contribution.js';

/** Names a contribution among many of its kind: by its title, or by what it is and how it begins. */
export function nameOf(contribution: Contribution): string {
  const { title, promptQuestion, about, body } = contribution;
  if (title !== '') return title;
  const what = promptQuestion !== '' ? `In reply to “${promptQuestion}”` : typeWords(contribution);
  const begin = [...withoutHiddenCharacters(body.slice(0, 300)).replace(/\s+/g, ' ').trim()];
  const shown = begin.length > 60 ? [...begin.slice(0, 59), '…'] : begin;
  return `${what}${about ? ` (${about.title})` : ''}: “${shown.join('')}”`;
}

/** What was sent, in words for humans. */
export function typeWords({ type, purpose }: Contribution): string {
  const name = fromWireType(type);
  return kinds[name].hasPurpose ? purposes[fromWirePurpose(purpose)] : types[name];
}

const purposes: Readonly<Record<InquiryPurposeName, string>> = {
  question: 'Private question',
  correction: 'Proposed correction',
  report: 'Report of a problem',
};

const types: Readonly<Record<ContributionTypeName, string>> = {
  inquiry: purposes.question,
  story: 'Story',
  prompt_reply: 'Reply to a question of ours',
};

/** The state of a contribution as a sentence. */
export function stateWords({ state, type }: Contribution): string {
  const name = fromWireContributionState(state);
  const waitsForAnswer = name === 'pending_review' && !kinds[fromWireType(type)].isPublic;
  return waitsForAnswer ? 'It waits for an answer of a moderator.' : states[name];
}

// An agent that was stopped can read nothing.
const onlyFew = 'Only you, the moderators and, while it can act for you, its agent';

const states: Readonly<Record<ContributionStateName, string>> = {
  pending_review: `It waits for a moderator. ${onlyFew} can read it.`,
  changes_requested:
    'A moderator asks for changes, and it waits for a new text of the agent. Without one it is withdrawn.',
  approved: 'A moderator accepted it. It is not published yet.',
  published: 'It is published: everybody can read it.',
  retracted: `It was taken down. ${onlyFew} can still read it.`,
  rejected: 'A moderator did not accept it. It was never published.',
  withdrawn: 'It is withdrawn. Readers cannot find it.',
  answered: 'A moderator answered it. It and the answer stay private.',
  closed: 'A moderator closed it without an answer. It stays private.',
};

/** Until when a withdrawn contribution can be read, and by whom. */
export function readUntil(erasesAt = new Date(0)): Fragment {
  return [
    'Moderators and, while it can act for you, its agent can still read it until ',
    minuteElement(erasesAt),
    '; then it is erased.',
  ];
}

/** A transition of a contribution in words for its human. */
export function transitionWords({ state, by, reason, edited, edit }: ContributionStep): string {
  if (edit !== '') return edits[edit] ?? 'It changed';
  if (edited) return 'A moderator edited it';
  const name = fromWireContributionState(state);
  if (name === 'retracted') return by === 'human' ? 'You took it down' : 'A moderator took it down';
  if (name === 'pending_review' && by === 'moderator') return 'A moderator reopened it';
  if (name === 'withdrawn') return withdrawals[by] ?? withdrawalWords(reason);
  return steps[name] ?? 'It changed';
}

function withdrawalWords(reason: string): string {
  return reason === withdrawalReasons.noNewText
    ? 'It was withdrawn, because the agent sent no new text'
    : 'It was withdrawn, because the access of the agent ended';
}

const edits: Readonly<Record<string, string>> = {
  proposed: 'A moderator proposed an edit',
  agreed: 'You agreed to the edit',
  declined: 'You said no to the edit',
  undone: 'You undid the edit, and it waited for a moderator again',
  forgotten: 'A moderator removed the earlier texts of it',
};

const steps: Readonly<Record<string, string>> = {
  pending_review: 'The agent sent it',
  changes_requested: 'A moderator asked for changes',
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
