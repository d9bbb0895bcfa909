import { address, integer, string } from '@knowledge/runtime';
import { serviceConfig } from '@knowledge/runtime/service';
import { maxLimit } from './domain/policy.js';

/** Reads and checks the configuration of the quota service. */
export const readQuotaConfig = serviceConfig({
  GRPC_ADDRESS: address({ default: '127.0.0.1:50052' }),
  MONGODB_DATABASE: string({ default: 'knowledge_quota' }),
  QUOTA_ANONYMOUS_PER_ADDRESS: limit(0, 'anonymous reads of one address a day, over all its client ids'),
  AUTHORIZE_PER_ADDRESS: limit(
    0,
    'authorize requests, and as many mails with links, that one address asks for an hour',
  ),
  AUTHORIZE_PER_MAIL_DOMAIN: limit(
    50,
    'authorize requests for the mailboxes of one mail domain an hour, without renewals and large providers',
  ),
  AUTHORIZE_PER_HOUR: limit(1_000, 'authorize requests for all mailboxes an hour, without renewals'),
});

export type QuotaConfig = ReturnType<typeof readQuotaConfig>;

function limit(usual: number, description: string) {
  return integer({ min: 0, max: maxLimit, default: usual, description: `${description}; 0 is off` });
}
