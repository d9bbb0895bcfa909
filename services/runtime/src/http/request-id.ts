import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ownSecretFault } from '../text/own-secrets.js';

/**
 * Returns the caller's `X-Request-Id` if it has 1 to 128 characters of `[A-Za-z0-9._-]`, else a new id. A secret of ours
 * is none, since the id is logged.
 */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) && !ownSecretFault(sent)
    ? sent
    : newRequestId();
}

export function newRequestId(): string {
  return randomUUID();
}
