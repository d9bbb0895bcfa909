import { KnowledgeError } from '@knowledge/runtime';

export interface AuthorizationEnd {
  at: Date;
  /** `human`, `agent`, `system`, or `support` with the name of the person. */
  by: string;
}

/** The error for a contribution whose authorization ended after its token was checked. */
export function accessEndedError(): KnowledgeError {
  return new KnowledgeError('invalid_token', 'This access has ended; ask for a new one only if your human wants it.');
}
