import { KnowledgeError } from '../errors/knowledge-error.js';

/** The failure for a request target over 8 KiB. */
export function uriTooLong(): KnowledgeError {
  return new KnowledgeError('uri_too_long', 'The request target is over 8 KiB; send a shorter one.');
}

/** The failure for a header block over 16 KiB, or with over 1,000 headers. */
export function headersTooLarge(): KnowledgeError {
  return new KnowledgeError(
    'headers_too_large',
    'The headers have over 16 KiB, or there are over 1,000; send fewer or shorter ones.',
  );
}
