import { KnowledgeError } from '@knowledge/runtime';

/** How an authorization ended. */
export interface AuthorizationEnd {
  at: Date;
  /** `human`, `agent`, `support` with the name of the person, or `system`. */
  by: string;
}

/** The error of a submission whose token was valid a moment ago. */
export function accessEnded(): KnowledgeError {
  return new KnowledgeError('invalid_token', 'This access has ended; ask for a new one only if your human wants it.');
}
