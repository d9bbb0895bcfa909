import { KnowledgeError } from '../errors/knowledge-error.js';
import { addressFault, asciiAddress } from '../text/address.js';

/**
 * Checks an address and converts it to ASCII and lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership).
 *
 * @throws KnowledgeError `validation_error` unless it is exactly one plain address (SECURITY.md#mail).
 */
export function requireEmail(input: string): string {
  const fault = addressFault(input);
  if (fault !== undefined) throw new KnowledgeError('validation_error', `email ${fault}.`);
  return asciiAddress(input).toLowerCase();
}
