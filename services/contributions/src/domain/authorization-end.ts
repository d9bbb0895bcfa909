import { KnowledgeError } from '@knowledge/runtime';

export interface AuthorizationEnd {
  at: Date;
  /** The actor: `human`, `agent`, `system`, or `support` followed by a name. */
  by: string;
}

/** The error if an authorization ended after its token was checked, so that its contribution is refused. */
export function accessEndedError(): KnowledgeError {
  return new KnowledgeError('invalid_token', 'This access has ended; ask for a new one only if your human wants it.');
}
