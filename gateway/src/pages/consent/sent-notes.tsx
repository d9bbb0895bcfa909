import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { fromWireContributionState } from '../../present/contribution.js';
import type { Html } from '../parts/html.js';
import type { ConsentPage } from './consent-layout.js';
import { stateWords } from './sent-words.js';

/** Confirms that a contribution was stopped; undefined if it was not. */
export function sentNote(changed: Contribution | undefined): Html | undefined {
  if (changed === undefined) return undefined;
  const name = changed.title && (
    <>
      {' '}
      “<bdi>{changed.title}</bdi>”:
    </>
  );
  switch (fromWireContributionState(changed.state)) {
    case 'withdrawn':
      return note(
        <>
          <strong>✓ Withdrawn.</strong>
          {name} No moderator decides about it, and nobody else can read it.
        </>,
      );
    case 'retracted':
      return note(
        <>
          <strong>✓ Taken down.</strong>
          {name} Nobody can read it any more. We confirm it by mail.
        </>,
      );
    default:
      return undefined;
  }
}

/** Confirms an action. It takes the focus, so screen readers read it first. */
export function note(text: Html): Html {
  return (
    <p class="done" role="status" tabindex="-1" autofocus>
      {text}
    </p>
  );
}

/** The page if a contribution can no longer be stopped. */
export function sentStatePage(contribution: Contribution, key: string): ConsentPage {
  return {
    title: 'Nothing was changed',
    body: (
      <>
        <p role="status">It has changed since you opened your page. {stateWords(contribution)}</p>
        {backLink(key)}
      </>
    ),
  };
}

/** The page if a form names a contribution that is not the human's. */
export function sentUnknownPage(key: string): ConsentPage {
  return {
    title: 'This is not on your page',
    body: (
      <>
        <p>Nothing with this id was sent in your name, so nothing was changed.</p>
        {backLink(key)}
      </>
    ),
  };
}

function backLink(key: string): Html {
  return (
    <p>
      <a href={`../access?key=${encodeURIComponent(key)}`}>Back to your page</a>
    </p>
  );
}
