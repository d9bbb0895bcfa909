import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { presentState } from '../../present/contribution.js';
import type { Html } from '../parts/html.js';
import type { ConsentPage } from './consent-layout.js';
import { stateWords } from './sent-words.js';

/** Says on the page what its human has just stopped; nothing where that is not so. */
export function sentNote(changed: Contribution | undefined): Html | undefined {
  if (changed === undefined) return undefined;
  const name = changed.title && (
    <>
      {' '}
      “<bdi>{changed.title}</bdi>”:
    </>
  );
  switch (presentState(changed.state)) {
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

/** Something that was just done, where those who use a screen reader hear it first. */
export function note(text: Html): Html {
  return (
    <p class="done" role="status" tabindex="-1" autofocus>
      {text}
    </p>
  );
}

/** What a human sees who wants to stop something that is past it. */
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

/** What a human sees whose form names what is not theirs. */
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
