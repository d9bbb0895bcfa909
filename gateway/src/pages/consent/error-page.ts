import { errorCatalogue, type KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { failureHeaders } from '../../envelope.js';
import { toKnowledgeError } from '../../error-handler.js';
import { type Html, html } from '../html.js';
import { fromConfirm } from './block-form.js';
import type { ConsentPage } from './consent-layout.js';

/** A failure as a page with the status of the JSON answer. */
export function errorPage(
  error: unknown,
  request: FastifyRequest,
): { status: number; page: ConsentPage; headers: Record<string, string> } {
  const known = toKnowledgeError(error, request);
  const { title, text } = wordsFor(known);
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

function wordsFor({ code, message }: KnowledgeError): { title: string; text: Html } {
  switch (code) {
    case 'missing_code':
      return {
        title: 'This link is not whole',
        text: html`<p>Its end is missing; some mail programs cut long links. Please open the whole link from the mail.</p>`,
      };
    case 'invalid_or_expired_code':
      return {
        title: 'This link does not work',
        text: html`<p>It may be cut, or its request is so old that it is no longer kept. Opening it has changed nothing.</p>
<p>If you still want to give your agent access, let it ask again: you get a new mail. To see or stop what agents do in your name, <a href="${fromConfirm}access/link">have the link to your own page mailed to you</a>.</p>`,
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
        text: html`<p>${message}</p>`,
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
