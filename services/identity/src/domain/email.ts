import { asciiAddress, emailBound, isSingleAddress, KnowledgeError } from '@knowledge/runtime';

export { mailboxOf } from '@knowledge/runtime';

/**
 * Checks an address and converts it to ASCII and lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership).
 *
 * @throws KnowledgeError `validation_error` unless it is exactly one plain address (SECURITY.md#mail).
 */
export function requireEmail(input: string): string {
  const address = asciiAddress(input);
  if (!isSingleAddress(address)) throw new KnowledgeError('validation_error', `email ${emailBound}.`);
  return address.toLowerCase();
}

/** Masks an address for the agent, such as `j•••@example.org`. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
}
