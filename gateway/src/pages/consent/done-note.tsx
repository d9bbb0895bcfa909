import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { fromWireContributionState } from '../../present/contribution.js';
import { untilWords } from './block.js';
import { declinedWords, withdrawnWords } from './count-words.js';
import { boldName, quoted } from './elements.js';
import { readUntil } from './sent-words.js';

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
function note(done: string, text: Fragment): Html {
  return (
    <p class="done" role="status" tabindex="-1" autofocus>
      <strong>✓ {done}.</strong> {text}
    </p>
  );
}

// One button may have ended accesses, declined requests, both, or neither.
function endedNote({ id, stopped, declined, withdrawn }: EndedAccess, access: GetAccessResponse): Html {
  const rest = [declinedWords(declined), withdrawnWords(withdrawn), stopped > 0 && 'We confirm it by mail.'];
  if (id === '') return note('Stopped', ['No agent can act for you any more. ', rest]);
  const known = [...access.tokens, ...access.authorizations].find((each) => each.id === id);
  const name = known === undefined ? 'The agent' : boldName(known.agentName);
  if (stopped === 0 && declined > 0) return note('Declined', [name, ' gets no access from this request.']);
  return note('Stopped', [name, ' can no longer act for you. ', rest]);
}

function blockedNote({ off, declined }: BlockedRequests, access: GetAccessResponse): Html | undefined {
  if (off !== access.requestsRefused) return undefined;
  if (!off)
    return note('Saved', access.blocked ? 'You no longer refuse requests.' : 'Agents can ask this address again.');
  return note('Saved', ['Requests from agents are turned off', untilWords(access), '. ', declinedWords(declined)]);
}

function sentNote({ title, state, erasesAt }: Contribution): Html | undefined {
  const name = title !== '' && [quoted(title), ': '];
  switch (fromWireContributionState(state)) {
    case 'withdrawn':
      return note('Withdrawn', [name, 'No moderator decides about it. ', readUntil(erasesAt)]);
    case 'retracted':
      return note('Taken down', [name, 'Readers can no longer find it. We confirm it by mail.']);
    default:
      return undefined;
  }
}
