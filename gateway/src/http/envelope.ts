import { createHash } from 'node:crypto';
import { hasCode, KnowledgeError } from '@knowledge/runtime';

export function strongEtag(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

/** Rethrows an error of a list with the names of the API. A service calls `cursor` `page_token`, and `q` `query`. */
export function rejectInCallersTerms(error: unknown): never {
  if (!hasCode(error, 'validation_error')) throw error;
  const message = error.message
    .replace(/^page_token .*/, 'cursor: does not belong to this listing; begin again without it.')
    .replace(/(^|; )([a-z_]+) must /g, (_, before, name) => `${before}${name === 'query' ? 'q' : name}: must `);
  throw new KnowledgeError('validation_error', message, { cause: error });
}
