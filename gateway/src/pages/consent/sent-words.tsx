import type { Contribution, ContributionStep } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { withoutHiddenCharacters } from '@knowledge/runtime';
import type { Fragment, Html } from '@knowledge/runtime/html';
import {
  capitalised,
  historyEntry,
  inquiryPurposes,
  kinds,
  publicTypes,
  publishedKinds,
  withdrawalReasons,
} from '@knowledge/runtime/product';
import {
  type ContributionStateName,
  fromWireContributionState,
  fromWirePurpose,
  fromWireType,
} from '../../present/contribution.js';
import { boldName, declinedWords, minuteOf, quoted, untilWords, withdrawnWords } from './consent-layout.js';

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
  const published = publicTypes.find((each) => each === name);
  return published === undefined
    ? capitalised(inquiryPurposes[fromWirePurpose(purpose)])
    : publishedKinds[published].name;
}

/** The state of a contribution as a sentence. */
export function stateWords({ state, type, history }: Contribution): string {
  const name = fromWireContributionState(state);
  if (name === 'rejected' && !wasPublic(history)) return `${states.rejected} It was never published.`;
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
  rejected: 'A moderator did not accept it.',
  withdrawn: 'It is withdrawn. Readers cannot find it.',
  answered: 'A moderator answered it. It and the answer stay private.',
  closed: 'A moderator closed it without an answer. It stays private.',
};

/** Until when a withdrawn contribution can be read, and by whom. */
export function readUntil(erasesAt: Date | undefined): Fragment {
  return [
    'Moderators and, while it can act for you, its agent can still read it until ',
    minuteOf(erasesAt),
    '; then it is erased.',
  ];
}

/** A transition of a contribution in words for its human; `before` is the one before it. */
export function transitionWords(
  { state, by, reason, edited, edit }: ContributionStep,
  before?: ContributionStep,
): string {
  if (edit !== '') return edits[edit] ?? historyEntry(edit)?.human?.words ?? 'It changed';
  if (edited) return 'A moderator edited it';
  const name = fromWireContributionState(state);
  if (name === 'retracted') return by === 'human' ? 'You took it down' : 'A moderator took it down';
  if (name === 'pending_review' && by === 'moderator') return 'A moderator reopened it';
  if (name === 'withdrawn') return withdrawals[by] ?? withdrawalWords(reason);
  if (name === 'pending_review' && before) return 'The agent sent a new text';
  if (name === 'answered' && before?.state === state) return 'A moderator corrected the answer';
  return steps[name];
}

/** The reason of a transition that somebody wrote. */
export function writtenReason({ reason }: ContributionStep): string {
  return Object.values<string>(withdrawalReasons).includes(reason) ? '' : reason;
}

function withdrawalWords(reason: string): string {
  return reason === withdrawalReasons.noNewText
    ? 'It was withdrawn, because the agent sent no new text'
    : 'It was withdrawn, because the access of the agent ended';
}

const edits: Readonly<Record<string, string>> = {
  agreed: 'You agreed to the edit',
  undone: 'You undid the edit, and it waited for a moderator again',
  forgotten: 'A moderator removed the earlier texts of it',
};

const steps: Readonly<Record<Exclude<ContributionStateName, 'retracted' | 'withdrawn'>, string>> = {
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

/** What the human has just done on the access page. */
export interface CompletedAction {
  /** The access that was ended, or all of them. */
  readonly ended?: EndedAccess | undefined;
  /** A contribution that was stopped. */
  readonly changed?: Contribution | undefined;
  /** What was done: `mails` if the choice of mails was saved, or an action with a contribution. */
  readonly saved?: unknown;
  /** Whether requests from agents were turned off or on, and the number that this declined. */
  readonly requests?: BlockedRequests | undefined;
}

export interface EndedAccess {
  /** The id of the access or request that ended; empty for all of them. */
  readonly id: string;
  /** The number of accesses that ended; a mail confirms each. */
  readonly stopped: number;
  /** The number of requests that were declined. */
  readonly declined: number;
  readonly withdrawn: number | undefined;
}

interface BlockedRequests {
  readonly off: boolean;
  readonly declined: number;
}

/** Confirms what the human has just done; undefined for nothing, or if it was undone since. */
export function doneNote(
  { ended, changed, saved, requests }: CompletedAction,
  access: GetAccessResponse & { readonly eachReceipt: boolean | undefined },
): Html | undefined {
  if (ended !== undefined) return endedNote(ended, access);
  const words = typeof saved === 'string' && Object.hasOwn(savedWords, saved) ? savedWords[saved] : undefined;
  if (words !== undefined) return note(...words);
  if (saved === 'mails' && access.eachReceipt !== undefined) {
    return note('Saved', `We mail you about ${access.eachReceipt ? 'each text' : 'the first text of each agent'}.`);
  }
  if (requests !== undefined) return blockedNote(requests, access);
  return changed && sentNote(changed);
}

/** What the page says after actions that the state of a contribution does not show. */
export const savedWords: Readonly<Record<string, readonly [string, string]>> = {
  erase: ['Erased', 'Nobody can read it any more, and its agent does not find it.'],
  accept_edit: ['Changed', 'Your text reads as the moderator proposed.'],
  decline_edit: ['Saved', 'Your text stays as it is.'],
  links: ['Saved', 'We mail this address no more links to this page.'],
  undo_edit: ['Undone', 'The words from before are back. They wait for a moderator.'],
};

// The note takes the focus, so that screen readers read it first.
function note(done: string, text: Fragment) {
  return (
    <p class="done" role="status" tabindex="-1" autofocus>
      <strong>✓ {done}.</strong> {text}
    </p>
  );
}

// One button may have ended accesses, declined requests, both, or neither.
function endedNote({ id, stopped, declined, withdrawn }: EndedAccess, access: GetAccessResponse) {
  const rest = [declinedWords(declined), withdrawnWords(withdrawn), stopped > 0 && 'We confirm it by mail.'];
  if (id === '') return note('Stopped', ['No agent can act for you any more. ', rest]);
  const known = [...access.tokens, ...access.authorizations].find((each) => each.id === id);
  const name = known === undefined ? 'The agent' : boldName(known.agentName);
  if (stopped === 0 && declined > 0) return note('Declined', [name, ' gets no access from this request.']);
  return note('Stopped', [name, ' can no longer act for you. ', rest]);
}

function blockedNote({ off, declined }: BlockedRequests, access: GetAccessResponse) {
  if (off !== access.requestsRefused) return undefined;
  if (!off)
    return note('Saved', access.blocked ? 'You no longer refuse requests.' : 'Agents can ask this address again.');
  return note('Saved', ['Requests from agents are turned off', untilWords(access), '. ', declinedWords(declined)]);
}

/** Whether readers ever found a text with this history. */
export function wasPublic(history: Contribution['history']): boolean {
  return history.some(({ state }) => fromWireContributionState(state) === 'published');
}

function sentNote({ title, state, erasesAt, history }: Contribution) {
  const name = title !== '' && [quoted(title), ': '];
  switch (fromWireContributionState(state)) {
    case 'withdrawn':
      return note('Withdrawn', [name, 'No moderator decides about it. ', readUntil(erasesAt)]);
    case 'retracted':
      return note('Taken down', [
        name,
        wasPublic(history) ? 'Readers can no longer find it.' : 'It was never public.',
        ' We confirm it by mail.',
      ]);
    default:
      return undefined;
  }
}
