import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { dayElement, endElement, type Fragment, type Html, minuteElement } from '@knowledge/runtime/html';
import { fromWireAuthorizationState } from '../../present/contribution.js';
import {
  blockForm,
  boldName,
  buttonForm,
  type ConsentPage,
  endWords,
  withdrawChoice,
  withdrawnWords,
} from './consent-layout.js';
import { linkForm } from './link-page.js';
import { agentOf, declinedPage, lapsedPage, onDate, type RequestView, withdrawnPage } from './not-granted-pages.js';

/** The page of a request that can no longer be decided, with what the human can do now. */
export function statePage(view: RequestView): ConsentPage {
  const { shown } = view;
  if (shown.canResend) return tooOldPage(view);
  const state = fromWireAuthorizationState(shown.authorization?.state ?? AuthorizationState.UNSPECIFIED);
  if (shown.newerAgentName !== '') return replacedPage(view);
  if (shown.accessUntil !== undefined && state !== 'pending') return givenPage(view, shown.accessUntil);
  switch (state) {
    case 'declined':
      return declinedPage(view);
    case 'revoked':
      // Without a decision, the request never gave access.
      return shown.authorization?.decidedAt === undefined ? withdrawnPage(view) : stoppedPage(view, agentOf(shown));
    case 'issued':
    case 'renewed':
      return stoppedPage(view, agentOf(shown));
    case 'confirmed':
    case 'expired':
    case 'pending':
      return lapsedPage(view);
  }
}

/** The page of an access that a newer one replaced. The newer one goes on, or has ended since. */
function replacedPage(view: RequestView): ConsentPage {
  const { shown, code } = view;
  const newer = boldName(shown.newerAgentName);
  if (shown.accessUntil === undefined) return stoppedPage(view, newer);
  return {
    title: 'A newer access replaced this one',
    body: (
      <>
        <p>
          {onDate(shown.authorization?.decidedAt)} you said <strong>yes</strong> to {agentOf(shown)}. A newer access
          replaced this one: {newer} can act for you until <strong>{endElement(shown.accessUntil)}</strong>.
        </p>
        <h2>Stop the newer access</h2>
        {stopForm(code, true)}
        {linkForm(code)}
      </>
    ),
  };
}

function givenPage({ shown, code, accessUrl, justNow }: RequestView, until: Date): ConsentPage {
  const { scopes = [], renewedAgentName = '' } = shown.authorization ?? {};
  // The access that this one renewed may have had more scopes.
  const canHaveSent = scopes.length > 0 || renewedAgentName !== '';
  return {
    title: justNow ? 'You gave this agent access' : 'You already decided',
    body: (
      <>
        <p>
          {justNow ? 'Thank you. You' : [onDate(shown.authorization?.decidedAt), ' you']} said <strong>yes</strong> to{' '}
          {agentOf(shown)}. It can act for you until <strong>{endElement(until)}</strong>.
          {justNow && ' You can close this page and go back to your agent: it continues without you.'}
        </p>
        {!justNow && [<h2>Stop it</h2>, stopForm(code, canHaveSent)]}
        {accessUrl === undefined ? linkForm(code) : linkTo(accessUrl)}
        {justNow && later(stopForm(code, canHaveSent))}
      </>
    ),
  };
}

/** Closed at first, since the second tap of the yes must not stop what it gave. */
function later(stop: Html) {
  return (
    <details class="block">
      <summary>Stop it</summary>
      {stop}
    </details>
  );
}

function linkTo(accessUrl: string) {
  return (
    <>
      <h2>Your own page</h2>
      <p>
        Your own page shows every agent that can act for you and what was sent in your name. Keep its link to yourself;
        we are sending you one by mail as well.
      </p>
      <p class="choice">
        <a class="button" href={accessUrl}>
          See it or stop it
        </a>
      </p>
    </>
  );
}

function stoppedPage({ shown, code, justNow: pressed, withdrawn }: RequestView, name: Html): ConsentPage {
  // If the access had ended before, pressing the button did not end it.
  const justNow = pressed && shown.endedBy === 'human';
  return {
    title: justNow ? '✓ Stopped' : 'This access has ended',
    body: (
      <>
        <p role="status">
          {name} can no longer act for you.{' '}
          {!justNow && [endWords(shown.endedBy), ' ', shown.endedAt && ['on ', dayElement(shown.endedAt)], '.']}
        </p>
        {justNow && (
          <p>
            {withdrawnWords(withdrawn)}We confirm it by mail. What is published stays published; your own page can take
            it down.
          </p>
        )}
        {linkForm(code)}
      </>
    ),
  };
}

function tooOldPage({ shown, code }: RequestView): ConsentPage {
  const { createdAt, expiresAt } = shown.authorization ?? {};
  return {
    title: 'This link is too old to say yes',
    body: (
      <>
        <p>
          {onDate(createdAt)} {agentOf(shown)} asked to act in your name, and its request waits for you
          {expiresAt && [' until ', minuteElement(expiresAt)]}. A link can say yes for a short time only, so that nobody
          who finds an old mail can do it. No works at any time.
        </p>
        {buttonForm(`resend?code=${encodeURIComponent(code)}`, <button>Send a new link to the same mailbox</button>)}
        {declineForm(code, 'No')}
        {blockForm({ code })}
      </>
    ),
  };
}

function stopForm(code: string, canHaveSent: boolean) {
  return declineForm(code, 'Stop it now', canHaveSent && withdrawChoice('it has'));
}

function declineForm(code: string, label: string, fields?: Fragment) {
  const button = (
    <button class="stop" name="decision" value="decline">
      {label}
    </button>
  );
  return buttonForm(`?code=${encodeURIComponent(code)}`, button, fields);
}

/** The page after requesting a new link. */
export function resentPage(maskedEmail: string): ConsentPage {
  return {
    title: 'A new link is on its way',
    body: (
      <p>
        In a moment there is a new mail for <strong>{maskedEmail}</strong>. It says how long its link works. You can
        close this page.
      </p>
    ),
  };
}
