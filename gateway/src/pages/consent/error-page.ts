import { errorCatalogue, type KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { failureHeaders } from '../../envelope.js';
import { toKnowledgeError } from '../../error-handler.js';
import { type Html, html } from '../html.js';
import type { ConsentPage } from './consent-layout.js';

/** Where the human can go from a failure, relative to the page. */
export interface WaysOn {
  /** Sends a new link, where the old one has expired. */
  readonly resend?: string | undefined;
  /** Shows the request again. */
  readonly back?: string | undefined;
}

/** A failure as a page with the status of the JSON answer. */
export function errorPage(
  error: unknown,
  request: FastifyRequest,
  ways: WaysOn = {},
): { status: number; page: ConsentPage; headers: Record<string, string> } {
  const known = toKnowledgeError(error, request);
  const { title, text } = wordsFor(known, ways);
  return {
    status: errorCatalogue[known.code].http,
    headers: failureHeaders(known),
    page: {
      title,
      body: html`${text}
<p class="small"><code>${known.code}</code> · request <code>${request.id}</code></p>`,
    },
  };
}

function wordsFor({ code, message }: KnowledgeError, { resend, back }: WaysOn): { title: string; text: Html } {
  switch (code) {
    case 'missing_code':
      return {
        title: 'This link is not whole',
        text: html`<p>Its end is missing; some mail programs cut long links. Please open the whole link from the mail.</p>`,
      };
    case 'invalid_or_expired_code':
      return resend === undefined
        ? {
            title: 'This link does not work',
            text: html`<p>It may be cut or too old, or its request is over or was decided otherwise. Opening it has changed nothing.</p>
<p>If you still want to give your agent access, let it ask again: you get a new mail.</p>`,
          }
        : {
            title: 'This link has expired',
            text: html`<p>A link works for a short time only, so that an old mail is of no use to anybody else. The request itself still waits for you.</p>
<form method="post" action="${resend}">
<p class="choice"><button>Send a new link to the same mailbox</button></p>
</form>
<p class="soft">You do not want it? Then do nothing: the request ends by itself.</p>`,
          };
    case 'not_found':
      return {
        title: 'This link does not work',
        text: html`<p>It may be cut, or the access that it belonged to ended long ago. Please open the whole link from the newest mail about your access.</p>`,
      };
    case 'rate_limited':
      return { title: 'A little slower, please', text: html`<p>${message}</p>` };
    case 'validation_error':
      return {
        title: 'Please look at this again',
        text: html`<p>${message}</p>
${back !== undefined && html`<p><a href="${back}">Back to the request</a></p>`}`,
      };
    case 'unavailable':
      return {
        title: 'Not right now',
        text: html`<p>A part of the service cannot be reached, so nothing was decided here. Please try the same link again in a minute.</p>`,
      };
    default:
      return { title: 'This did not work', text: html`<p>${message}</p>` };
  }
}
