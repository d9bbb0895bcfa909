import { type ErrorCode, errorCatalogue, type KnowledgeError, type Operator } from '@knowledge/runtime';
import { type Fragment, retryTimeElement } from '@knowledge/runtime/html';
import { failureHeaders } from '@knowledge/runtime/http';
import type { FastifyRequest } from 'fastify';
import { toKnowledgeError } from '../../http/error-handler.js';
import { requestFoot } from '../parts/layout.js';
import { type ConsentPage, mailedLink } from './consent-layout.js';

/** An error as a page, with the same status as its JSON response. */
export function consentErrorPage(
  error: unknown,
  request: FastifyRequest,
  operator: Operator,
): { status: number; page: ConsentPage; headers: Record<string, string> } {
  const known = toKnowledgeError(error, request);
  const { title, text } = wordsFor(known, operator);
  return {
    status: errorCatalogue[known.code].http,
    headers: failureHeaders(known),
    page: {
      title,
      body: (
        <>
          {text}
          {requestFoot(known, request.id)}
        </>
      ),
    },
  };
}

interface Words {
  readonly title: string;
  readonly text: Fragment;
}

function wordsFor(error: KnowledgeError, operator: Operator) {
  const { code, message } = error;
  if (code === 'rate_limited') return { title: 'A little slower, please', text: waitWords(error, operator) };
  const title = code === 'validation_error' ? 'Please look at this again' : 'This did not work';
  return ownWords[code] ?? { title, text: <p>{message}</p> };
}

/** Words for errors whose message is for agents. */
const ownWords: Partial<Readonly<Record<ErrorCode, Words>>> = {
  missing_code: {
    title: 'This link is not whole',
    text: <p>Its end is missing; some mail programs cut long links. Please open the whole link from the mail.</p>,
  },
  invalid_or_expired_code: {
    title: 'This link does not work',
    text: [
      <p>
        It may be cut, its request may be no longer kept, or you made earlier links useless. Opening it has changed
        nothing.
      </p>,
      <p>
        If you still want to give your agent access, let it ask again: you get a new mail. To see or stop what agents do
        in your name, {mailedLink}.
      </p>,
    ],
  },
  unsupported_media_type: {
    title: 'This form did not arrive',
    text: <p>Send it as application/x-www-form-urlencoded or as application/json.</p>,
  },
  not_found: {
    title: 'This link does not work',
    text: (
      <p>
        It may be cut, its time is over, the access that it belonged to ended long ago, or you made earlier links
        useless. Please open the whole link from the newest mail about your access.
      </p>
    ),
  },
  unavailable: {
    title: 'Not right now',
    text: (
      <p>
        A part of the service cannot be reached, so nothing was decided here. Please try the same link again in a
        minute.
      </p>
    ),
  },
};

/** Says when to try again, and what to do until then. */
function waitWords({ metadata, retryAfterSeconds = 60 }: KnowledgeError, { contact }: Operator) {
  return (
    <>
      <p>
        {tooMany[metadata?.limited ?? ''] ?? 'This was asked for too often in a short time.'} It works again from{' '}
        <strong>{retryTimeElement(retryAfterSeconds)}</strong>.
      </p>
      <p>
        {metadata?.limited &&
          'The mails that you already have still work: look for the newest, in the spam folder too. '}
        If you cannot wait, write to <a href={contact.url}>{contact.text}</a>.
      </p>
    </>
  );
}

const tooMany: Readonly<Record<string, string>> = {
  mailbox: 'We send only a few such mails to one mailbox, and all of them were asked for already.',
  address: 'So many such mails were asked for from your IP address within an hour that we pause here.',
};
