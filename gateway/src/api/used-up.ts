import { type Allowance, Policy } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError, timestamp } from '@knowledge/runtime';
import { limits } from '../protocol/limits.js';
import { authorize } from '../protocol/write-operations.js';

/** Makes the refusal for a caller that has used all reads of the day. Its message says which reads are free. */
export function readsUsedUp({ policy, limit, resetAt = new Date() }: Allowance, isVerified: boolean): KnowledgeError {
  const wait = Math.ceil((resetAt.getTime() - Date.now()) / 1000);
  const whose = policy === Policy.READ_ADDRESS_CAP ? ' that your network address has for all its readers' : '';
  const more = isVerified
    ? ''
    : ` Your human can give you ${limits.readsPerDay.verifiedEmail} a day: ${authorize.method} ${authorize.path} with {"email": "<your human's address>", "agent_name": "<your name>", "scopes": []}.`;
  return new KnowledgeError(
    'read_quota_exceeded',
    `All ${limit} article reads of this UTC day${whose} are used; the next day begins at ${timestamp(resetAt)}. Listings with their summaries, search, highlights and objects stay free.${more}`,
    { retryAfterSeconds: Math.max(1, wait), metadata: { window: 'day' } },
  );
}
