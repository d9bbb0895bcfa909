import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { fromWireAuthorizationState } from '../../present/authorization.js';
import { day } from '../parts/dates.js';
import type { Html } from '../parts/html.js';
import { blockForm } from './block-form.js';
import type { ConsentPage } from './consent-layout.js';
import { linkForm } from './link-form.js';
import { declinedPage, overPage, withdrawnPage } from './not-granted-pages.js';
import { agentOf, on } from './request-words.js';
import type { Told } from './told.js';
import { withdrawChoice } from './withdraw-choice.js';
import { withdrawnWords } from './withdrawn-words.js';

/** The page of a request that this link cannot decide any more, with what its human can do now. */
export function statePage(told: Told): ConsentPage {
  const { shown, code } = told;
  if (shown.canResend) return tooOldPage(code);
  const state = fromWireAuthorizationState(shown.authorization?.state ?? AuthorizationState.UNSPECIFIED);
  if (shown.newerAgentName !== '') return replacedPage(told);
  if (shown.accessUntil !== undefined && state !== 'pending') return givenPage(told, shown.accessUntil);
  switch (state) {
    case 'declined':
      return declinedPage(told);
    case 'revoked':
      // Without a decision it never gave access.
      return shown.authorization?.decidedAt === undefined ? withdrawnPage(told) : stoppedPage(told, agentOf(shown));
    case 'issued':
    case 'renewed':
      return stoppedPage(told, agentOf(shown));
    case 'confirmed':
    case 'expired':
    case 'pending':
      return overPage(told);
  }
}

/** The access of this request goes on in a newer one, or ended with it. */
function replacedPage(told: Told): ConsentPage {
  const { shown, code } = told;
  const newer = <strong>“{shown.newerAgentName}”</strong>;
  if (shown.accessUntil === undefined) return stoppedPage(told, newer);
  return {
    title: 'A newer access replaced this one',
    body: (
      <>
        <p>
          {on(shown.authorization?.decidedAt)} you said <strong>yes</strong> to {agentOf(shown)}. A newer access
          replaced this one: {newer} can act for you until <strong>{day(shown.accessUntil)}</strong>.
        </p>
        <h2>Stop the newer access</h2>
        {stopForm(code, true)}
        <h2>Your own page</h2>
        {linkForm(code)}
      </>
    ),
  };
}

function givenPage({ shown, code, accessUrl, justNow }: Told, until: Date): ConsentPage {
  const { scopes = [], renewedAgentName = '' } = shown.authorization ?? {};
  // A renewed access may have had wider scopes before.
  const canHaveSent = scopes.length > 0 || renewedAgentName !== '';
  const name = agentOf(shown);
  const can = (
    <>
      It can act for you until <strong>{day(until)}</strong>.
    </>
  );
  const opening = justNow ? (
    <p>
      Thank you. You said <strong>yes</strong> to {name}. {can} You can close this page and go back to your agent: it
      continues without you.
    </p>
  ) : (
    <p>
      {on(shown.authorization?.decidedAt)} you said <strong>yes</strong> to {name}. {can}
    </p>
  );
  const own =
    accessUrl === undefined ? (
      linkForm(code)
    ) : (
      <>
        <p>
          Your own page shows every agent that can act for you and what was sent in your name. Keep its link to
          yourself; we are sending you one by mail as well.
        </p>
        <p class="choice">
          <a class="button" href={accessUrl}>
            See it or stop it
          </a>
        </p>
      </>
    );
  return {
    title: justNow ? 'You gave this agent access' : 'You already decided',
    body: (
      <>
        {opening}
        <h2>Stop it</h2>
        {stopForm(code, canHaveSent)}
        <h2>Your own page</h2>
        {own}
      </>
    ),
  };
}

function stoppedPage({ shown, code, justNow: pressed, withdrawn }: Told, name: Html): ConsentPage {
  // If the access had ended before, this press did not end it.
  const justNow = pressed && shown.endedBy === 'human';
  const by = byWords[shown.endedBy] ?? 'It was ended';
  return {
    title: justNow ? '✓ Stopped' : 'This access has ended',
    body: (
      <>
        <p role="status">
          {name} can no longer act for you.{' '}
          {!justNow && (
            <>
              {by} {shown.endedAt && <>on {day(shown.endedAt)}</>}.
            </>
          )}
        </p>
        {justNow && (
          <p>
            {withdrawnWords(withdrawn)}We confirm it by mail. What is published stays published; your own page can take
            it down.
          </p>
        )}
        <h2>Your own page</h2>
        {linkForm(code)}
      </>
    ),
  };
}

function tooOldPage(code: string): ConsentPage {
  return {
    title: 'This link is too old to decide',
    body: (
      <>
        <p>
          A link decides for a short time only, so that an old mail is of no use to anybody else. The request itself
          still waits for you.
        </p>
        <form method="post" action={`resend?code=${encodeURIComponent(code)}`}>
          <p class="choice">
            <button>Send a new link to the same mailbox</button>
          </p>
        </form>
        <p>You do not want it? Then do nothing: the request ends by itself.</p>
        {blockForm({ code })}
      </>
    ),
  };
}

function stopForm(code: string, canHaveSent: boolean): Html {
  return (
    <form method="post" action={`?code=${encodeURIComponent(code)}`}>
      {canHaveSent && withdrawChoice('it has')}
      <p class="choice">
        <button class="stop" name="decision" value="decline">
          Stop it now
        </button>
      </p>
    </form>
  );
}

const byWords: Readonly<Record<string, string>> = {
  human: 'You ended it',
  agent: 'The agent gave its access back',
  support: 'Our support team ended it',
  system: 'Its time was over',
};

/** The page after asking for a new link. */
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
