import { type ErrorCode, errorCatalogue } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { failureHeaders } from '../../envelope.js';
import { toKnowledgeError } from '../../error-handler.js';
import { type ConsentPage, escapeHtml } from './consent-layout.js';

/** A failure as a page with the status of the JSON answer; an expired link offers a new one. */
export function errorPage(
  error: unknown,
  request: FastifyRequest,
  resendPath?: string,
): { status: number; page: ConsentPage; headers: Record<string, string> } {
  const known = toKnowledgeError(error, request);
  const resend =
    resendPath === undefined
      ? ''
      : `<form method="post" action="${escapeHtml(resendPath)}"><p class="choice"><button>Send a new link to the same mailbox</button></p></form>`;
  return {
    status: errorCatalogue[known.code].http,
    headers: failureHeaders(known),
    page: { title: titleOf(known.code), body: `<p>${escapeHtml(known.message)}</p>${resend}` },
  };
}

function titleOf(code: ErrorCode): string {
  switch (code) {
    case 'missing_code':
      return 'This link is not whole';
    case 'invalid_or_expired_code':
      return 'This link does not work any more';
    case 'not_found':
      return 'Nothing is here';
    case 'rate_limited':
      return 'That was often enough for now';
    case 'validation_error':
      return 'Please look at this again';
    default:
      return 'This did not work';
  }
}
