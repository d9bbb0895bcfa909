import { KnowledgeError } from '@knowledge/runtime';
import { foldEmail } from '../domain/email.js';

/** @throws KnowledgeError `validation_error` if the e-mail is missing. */
export function requireEmail(email: string): string {
  if (email === '') throw new KnowledgeError('validation_error', 'email is required.');
  return foldEmail(email);
}
