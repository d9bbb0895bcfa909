import type { Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { buttonForm, type ConsentPage, declinedWords, formKey, fromConfirm } from './consent-layout.js';

interface LinkPage {
  readonly lost: boolean;
  /** What is wrong with the address that was sent. */
  readonly fault?: string | undefined;
  /** The target of the form, if another URL shows this page. */
  readonly action?: string;
}

/** The form that mails a human the link to their access page. `lost` means that the human came with an expired link. */
export function linkPage({ lost, fault, action: to }: LinkPage): ConsentPage {
  // Relative, since the base URL of a site may have a path. Both /access and /access/link show the form.
  const action = to ?? (lost ? 'access/link' : 'link');
  const title = lost ? 'This link has ended' : 'Mail me the link to my page';
  return {
    title,
    ...(fault && { headTitle: `Error: ${title}` }),
    body: (
      <>
        {lost && (
          <p>
            It may be cut, its time is over, the access that it belonged to ended long ago, or earlier links were made
            useless on your page. You can have a new one.
          </p>
        )}
        <p>
          Your own page shows which agents can act for you and what was sent in your name, and stops both. Say where you
          got our mails, and we send its link there.
        </p>
        {buttonForm(action, <button>Mail me the link</button>, [
          formKey(),
          <label for="email">Your e-mail address</label>,
          fault && (
            <p id="email_error" class="wrong">
              <strong>We cannot mail to this.</strong> The address {fault}.
            </p>
          ),
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="email"
            required
            maxlength={bounds.email.max}
            aria-invalid={fault && 'true'}
            aria-describedby={fault && 'email_error'}
            autofocus={fault !== undefined}
          />,
        ])}
      </>
    ),
  };
}

/** The part of a confirmation page with the button that mails the human a link to their access page. */
export function linkForm(code: string, heading: 'Your own page' | 'Stop it' = 'Your own page'): Html {
  return (
    <>
      <h2>{heading}</h2>
      <p>Your own page shows every agent that can act for you and what was sent in your name, and stops both.</p>
      {buttonForm(`${fromConfirm}access/link`, <button>Mail me the link to my page</button>, [
        formKey(),
        <input type="hidden" name="code" value={code} />,
      ])}
    </>
  );
}

/** The form that makes all earlier links to the access page useless. */
export function newLinkForm(key: string): Html {
  return (
    <>
      <h2>Links to this page</h2>
      <details class="block">
        <summary>Has somebody else seen a link of yours?</summary>
        <p>
          Each of our mails has its own link. Make all earlier ones useless, also the one that you use now: we mail you
          a new one. Only the links of requests that wait for your answer still work.
        </p>
        {buttonForm(
          `access/links?key=${encodeURIComponent(key)}`,
          <button class="stop">Make all earlier links useless</button>,
          formKey(),
        )}
      </details>
    </>
  );
}

/** The page after all earlier links became useless. */
export function linksEndedPage(email: string): ConsentPage {
  return {
    title: '✓ Earlier links are useless now',
    body: (
      <p role="status">
        No link in an earlier mail opens your page any more. A mail with a new one is on its way to{' '}
        <strong>{email}</strong>.
      </p>
    ),
  };
}

/** The page after requesting a link. It is the same for known and unknown addresses. */
export function linkSentPage(maskedEmail: string): ConsentPage {
  return {
    title: 'Look into your mailbox',
    body: (
      <>
        <p role="status">
          If an agent has ever acted for <strong>{maskedEmail}</strong>, a mail with the link to your page is on its
          way. It comes within a few minutes; look into the spam folder too.
        </p>
        <p>
          No mail? Then no agent has access in the name of this address here, or the agent used another address of
          yours.
        </p>
      </>
    ),
  };
}

/** The page after a human blocked requests through a mailed link. */
export function refusedPage(until: Html | undefined, declined: number): ConsentPage {
  return {
    title: '✓ Requests are turned off',
    body: (
      <>
        <p role="status">
          {until === undefined ? 'Until you turn them on again' : ['Until ', until]}, we mail you no new requests from
          agents. {declinedWords(declined)}
        </p>
        <p>
          Agents that you said yes to keep their access and may still ask you to renew it. To turn requests on again,{' '}
          <a href="link">have the link to your own page mailed to you</a>.
        </p>
      </>
    ),
  };
}
