import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Html } from '@knowledge/runtime/html';
import type { ConsentPage } from './consent-layout.js';
import { stateWords } from './sent-words.js';

/** The page if a contribution can no longer be stopped. */
export function sentStatePage(contribution: Contribution, key: string): ConsentPage {
  const words = <p role="status">It has changed since you opened your page. {stateWords(contribution)}</p>;
  return { title: 'Nothing was changed', body: withBackLink(words, key) };
}

/** The page if a form names a contribution that is not the human's. */
export function sentUnknownPage(key: string): ConsentPage {
  const words = <p>Nothing with this id was sent in your name, so nothing was changed.</p>;
  return { title: 'This is not on your page', body: withBackLink(words, key) };
}

function withBackLink(words: Html, key: string): Html {
  return (
    <>
      {words}
      <p>
        <a href={`../access?key=${encodeURIComponent(key)}`}>Back to your page</a>
      </p>
    </>
  );
}
