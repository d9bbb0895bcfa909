import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { endElement, type Fragment, minuteElement } from '@knowledge/runtime/html';
import { accessEnd, publicWords, scopeWords, sharedLimits } from '@knowledge/runtime/product';
import { fromWireScope } from '@knowledge/runtime/wire';
import { siteTitles } from '../../upstream/sites.js';
import { blockForm, boldName, buttonForm, type ConsentPage, mailedLink, quoted } from './consent-layout.js';

/** What the page of a pending request shows. */
export interface Confirmation {
  readonly shown: GetConfirmationResponse;
  readonly code: string;
  /** The host of the service, so that the human can check it. */
  readonly host: string;
  /** Why the typed code was refused. */
  readonly typed?: TypedCode | undefined;
}

/** A refused user code. */
export interface TypedCode {
  readonly fault: 'missing' | 'wrong';
  readonly triesLeft: string | undefined;
}

/** Shows which agent requests which access, with two equally prominent buttons. */
export function confirmationPage({ shown, code, host, typed }: Confirmation): ConsentPage {
  const { authorization, email, userCodeRequired, renewedUntil } = shown;
  if (authorization === undefined) throw new TypeError('A request is missing.');
  const scopes = authorization.scopes.map(fromWireScope);
  const renews = renewedUntil !== undefined;
  const title = renews ? 'An agent asks to go on acting in your name' : 'An AI agent asks to act in your name';
  const inPublic = publicWords(scopes);
  return {
    title,
    ...(typed && { headTitle: `Error: ${title}` }),
    body: (
      <>
        <p>
          {renews
            ? 'An agent that can act for you already asked us for permission to go on acting'
            : 'A computer program asked us for permission to act'}{' '}
          for <strong>{email}</strong> on the Community Knowledge Service ({host}), a public collection of experience
          from practice. Nothing happens until you choose.
        </p>
        {claims(authorization, renews)}
        <h2>If you say yes, until {endElement(accessEnd(authorization.createdAt ?? new Date()))} it can</h2>
        <ul id="what">
          {scopeWords(scopes).map((each) => (
            <li>{each}</li>
          ))}
        </ul>
        {inPublic !== undefined && <p>{inPublic}</p>}
        <p>{sharedLimits}</p>
        <p>
          The access holds for both sites, {siteTitles.io} and {siteTitles.org}. We give it no access to your mailbox,
          your passwords or your other accounts.
        </p>
        {buttonForm(
          `?code=${encodeURIComponent(code)}`,
          [
            <button name="decision" value="confirm" aria-describedby="what">
              Yes, let it act for me
            </button>,
            ' ',
            <button class="stop" name="decision" value="decline" formnovalidate>
              No
            </button>,
          ],
          [<h2>Did you start this?</h2>, userCodeRequired ? codeToType(typed) : codeToCompare(authorization.userCode)],
        )}
        {renews ? ifNot(renewedUntil) : <p>You can stop it at any time with one click: we mail you the link.</p>}
        {blockForm({ code })}
      </>
    ),
  };
}

// Declining a renewal does not end the earlier access, so the page explains how to end it.
function ifNot(until: Date) {
  return (
    <>
      <h2>If you say no</h2>
      <p>
        Your earlier yes still holds until <strong>{endElement(until)}</strong>. To stop this agent before, {mailedLink}
        .
      </p>
    </>
  );
}

function claims(
  { agentName, purpose, createdAt, renewedAgentName }: NonNullable<GetConfirmationResponse['authorization']>,
  renews: boolean,
) {
  const old = boldName(renewedAgentName);
  return (
    <>
      <section class="claims" aria-labelledby="claims">
        <h2 id="claims">
          What it says about itself <span class="soft">– we have not checked this</span>
        </h2>
        <dl>
          <dt>Name</dt>
          <dd dir="auto">{quoted(agentName)}</dd>
          {purpose !== '' && [<dt>Reason</dt>, <dd dir="auto">“{purpose.replace(/\s+/g, ' ').trim()}”</dd>]}
        </dl>
      </section>
      {createdAt && <p class="soft">Asked {minuteElement(createdAt)}.</p>}
      {renewedAgentName !== '' &&
        (renews ? (
          <p>
            We have checked: it renews the access that {old} has from you. What was sent with it stays with it, and the
            old access ends when the new one begins.
          </p>
        ) : (
          <p>It asked with the access that {old} had from you, which has ended.</p>
        ))}
    </>
  );
}

// The code stands there once, so that text browsers show no second one. Screen readers spell the name of the image.
function codeToCompare(userCode: string) {
  return (
    <>
      <p>Your agent should show you this code:</p>
      <p class="code">
        <span role="img" aria-label={[...userCode].join(' ').replace(' - ', ', ')}>
          {userCode}
        </span>
      </p>
      <p>
        If it shows another one, or none at all, or if you did not expect this, choose <strong>No</strong>.
      </p>
    </>
  );
}

function codeToType(typed: TypedCode | undefined) {
  const isWrong = typed !== undefined;
  return (
    <>
      <label for="user_code">Type the code that your agent shows you</label>
      {typed && (
        <p id="user_code_error" class="wrong">
          {faultWords(typed)}
        </p>
      )}
      <input
        id="user_code"
        name="user_code"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="20"
        aria-describedby={isWrong ? 'user_code_error user_code_why' : 'user_code_why'}
        aria-invalid={isWrong && 'true'}
        autofocus={isWrong}
      />
      <p id="user_code_why" class="soft">
        No code, or you did not expect this? Then choose <strong>No</strong>.
      </p>
    </>
  );
}

function faultWords({ fault, triesLeft }: TypedCode): Fragment {
  if (fault === 'missing') return [<strong>The code is missing.</strong>, ' Your agent shows it, like ABCD-EFGH.'];
  const again = triesLeft === '1' ? 'You can try once more.' : `You can try ${triesLeft ?? 'a few'} more times.`;
  return [<strong>That is not the code.</strong>, ` Look again at what your agent shows. ${again}`];
}
