import { isSingleAddress, KnowledgeError } from '@knowledge/runtime';

export { mailboxOf } from '@knowledge/runtime';

/**
 * Checks an address and converts it to lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership).
 *
 * @throws KnowledgeError `validation_error` unless it is exactly one plain address (SECURITY.md#mail).
 */
export function requireEmail(input: string): string {
  if (!isSingleAddress(input)) {
    throw new KnowledgeError('validation_error', 'email must be exactly one plain address like jane@example.org.');
  }
  return input.toLowerCase();
}

/** Masks an address for the agent, such as `j•••@example.org`. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
}
