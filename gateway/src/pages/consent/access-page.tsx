import type { Authorization, GetAccessResponse, Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { endElement, type Fragment, type Html } from '@knowledge/runtime/html';
import { scopeWords, sharedLimits } from '@knowledge/runtime/product';
import { fromWireScope } from '@knowledge/runtime/wire';
import { fromWireAuthorizationState } from '../../present/contribution.js';
import {
  blockedNote,
  blockPart,
  boldName,
  type ConsentPage,
  endWords,
  entryList,
  minuteOf,
  quoted,
  withdrawChoice,
} from './consent-layout.js';
import { newLinkForm } from './link-page.js';
import { type SentContext, type SentList, sentPart } from './sent-part.js';
import { type CompletedAction, doneNote } from './sent-words.js';

/** What the access page shows. `sent` and `eachReceipt` are undefined if the contributions service is unavailable. */
export interface AccessView extends GetAccessResponse, SentContext {
  readonly sent: SentList | undefined;
  /** Whether the human gets a mail for each text. */
  readonly eachReceipt: boolean | undefined;
  readonly done: CompletedAction;
}

/** The page with a human's agents and their contributions, each with a button that stops it. */
export function accessPage(access: AccessView): ConsentPage {
  const { key, email, sent, eachReceipt, done } = access;
  return {
    title: 'What agents may do in your name',
    body: (
      <>
        {doneNote(done, access)}
        <p>
          This page belongs to <strong>{email}</strong>. Keep its link to yourself: whoever has it can see and stop what
          is here.
        </p>
        {access.blocked && blockedNote(access)}
        {grantsPart(key, access)}
        {sentPart(sent, access)}
        {eachReceipt !== undefined && mailChoiceForm(key, eachReceipt)}
        {blockPart(access)}
        {newLinkForm(key)}
      </>
    ),
  };
}

/** The form that chooses the mails about new contributions. */
function mailChoiceForm(key: string, eachReceipt: boolean) {
  const choice = (value: string, label: string, chosen: boolean) => (
    <p>
      <label class="tick">
        <input type="radio" name="receipts" value={value} checked={chosen} /> {label}
      </label>
    </p>
  );
  return (
    <>
      <h2>Mails to you</h2>
      <form method="post" action={`access/mails?key=${encodeURIComponent(key)}`}>
        <fieldset>
          <legend>When an agent sends something in your name, mail me</legend>
          {choice('first', 'about the first text of each agent', !eachReceipt)}
          {choice('each', 'about each text', eachReceipt)}
        </fieldset>
        <p class="soft">What a moderator decides, we always mail you.</p>
        <p>
          <button>Save</button>
        </p>
      </form>
    </>
  );
}

type Grants = Pick<GetAccessResponse, 'tokens' | 'authorizations' | 'unusedAuthorizations' | 'blocked'>;

/** Lists the active agents of a human, their requests, and earlier agents. */
export function grantsPart(
  key: string,
  { blocked, tokens, authorizations, unusedAuthorizations: unused }: Grants,
): Html {
  const live = tokens.filter(isLive);
  const ended = tokens.filter((token) => !isLive(token));
  return (
    <>
      <h2>Agents that can act for you</h2>
      {live.length === 0 ? <p class="soft">None.</p> : !blocked && <p class="soft">{sharedLimits}</p>}
      {live.length > 0 && entryList(live.map((token) => liveGrant(token, key, canHaveSent(token, tokens), blocked)))}
      {authorizations.length > 0 && [
        <h2>Requests under way</h2>,
        entryList(authorizations.map((each) => request(each, key))),
      ]}
      {live.length + authorizations.length > 1 && endAll(key)}
      {ended.length + unused.length > 0 && [
        <h2>Agents that could act for you</h2>,
        entryList([...unused.map(unusedGrant), ...ended.map(endedGrant)]),
      ]}
    </>
  );
}

/** Whether a token is still valid. */
function isLive({ revokedAt, expiresAt }: Token) {
  return revokedAt === undefined && (expiresAt?.getTime() ?? 0) > Date.now();
}

// Looks at all tokens of the access, since an earlier one may have had more scopes.
function canHaveSent({ authorizationId }: Token, tokens: readonly Token[]) {
  return tokens.some((each) => each.authorizationId === authorizationId && each.scopes.length > 0);
}

function liveGrant(token: Token, key: string, offersWithdrawal: boolean, blocked: boolean) {
  const { agentName, scopes, createdAt, lastUsedAt, expiresAt, id } = token;
  // A use is stored to the minute, so the first one may seem to be before the beginning.
  const used: Fragment =
    lastUsedAt === undefined
      ? 'not used yet'
      : ['last used ', minuteOf(createdAt && lastUsedAt < createdAt ? createdAt : lastUsedAt)];
  return (
    <>
      <p>{boldName(agentName)}</p>
      <p class="soft">It can</p>
      <ul class="soft">
        {scopeWords(blocked ? [] : scopes.map(fromWireScope)).map((each) => (
          <li>{each}</li>
        ))}
      </ul>
      <p class="soft">
        Since {minuteOf(createdAt)}, {used}. Ends by itself on {endElement(expiresAt ?? new Date(0))}.
      </p>
      {endForm(key, { id, label: 'Stop it', agentName, offersWithdrawal })}
    </>
  );
}

function endedGrant({ agentName, createdAt, revokedAt, expiresAt, endedBy }: Token) {
  return (
    <>
      <p>{quoted(agentName)}</p>
      <p class="soft">
        Could act for you from {minuteOf(createdAt)} to {minuteOf(revokedAt ?? expiresAt)}. {endWords(endedBy)}.
      </p>
    </>
  );
}

function unusedGrant({ agentName, decidedAt, state }: Authorization) {
  const stopped = fromWireAuthorizationState(state) === 'revoked';
  return (
    <>
      <p>{quoted(agentName)}</p>
      <p class="soft">
        You said yes {minuteOf(decidedAt)}. It never acted for you:{' '}
        {stopped ? 'its access was stopped before it came back.' : 'it did not come back in time.'}
      </p>
    </>
  );
}

function request({ agentName, state, createdAt, id }: Authorization, key: string) {
  const pending = fromWireAuthorizationState(state) === 'pending';
  const words = pending ? 'waits for your answer to our mail' : 'you said yes, and the agent has not come back yet';
  return (
    <>
      <p>{boldName(agentName)}</p>
      <p class="soft">
        Asked {minuteOf(createdAt)}; {words}.
      </p>
      {endForm(key, { id, label: pending ? 'Say no' : 'Stop it', agentName, offersWithdrawal: false })}
    </>
  );
}

function endAll(key: string) {
  return (
    <div class="all">{endForm(key, { id: '', label: 'End all access and requests', offersWithdrawal: true })}</div>
  );
}

interface End {
  readonly id: string;
  readonly label: string;
  /** The name of the agent, which only screen readers read. */
  readonly agentName?: string;
  /** Whether to offer withdrawing texts that wait for review. */
  readonly offersWithdrawal: boolean;
}

function endForm(key: string, { id, label, agentName, offersWithdrawal }: End) {
  return (
    <form method="post" action={`?key=${encodeURIComponent(key)}`}>
      <input type="hidden" name="id" value={id} />
      {offersWithdrawal && withdrawChoice(id === '' ? 'they have' : 'it has')}
      <button class="stop">
        {label}
        {agentName !== undefined && [' ', <span class="aside">({agentName})</span>]}
      </button>
    </form>
  );
}
