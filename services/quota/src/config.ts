import { address, integer, string } from '@knowledge/runtime';
import { serviceConfig } from '@knowledge/runtime/service';
import { maxLimit } from './domain/policy.js';

/** Reads and checks the configuration of the quota service. */
export const readQuotaConfig = serviceConfig({
  GRPC_ADDRESS: address({ default: '127.0.0.1:50052' }),
  MONGODB_DATABASE: string({ default: 'knowledge_quota' }),
  QUOTA_ANONYMOUS_PER_ADDRESS: integer({
    min: 0,
    max: maxLimit,
    default: 0,
    description: 'anonymous reads of one address a day, over all its client ids; 0 is off',
  }),
  AUTHORIZE_PER_ADDRESS: integer({
    min: 0,
    max: maxLimit,
    default: 0,
    description: 'authorize requests, and as many mails with links, that one address asks for an hour; 0 is off',
  }),
  AUTHORIZE_PER_MAIL_DOMAIN: integer({
    min: 0,
    max: maxLimit,
    default: 50,
    description:
      'authorize requests for the mailboxes of one mail domain an hour, without renewals and large providers; 0 is off',
  }),
  AUTHORIZE_PER_HOUR: integer({
    min: 0,
    max: maxLimit,
    default: 1_000,
    description: 'authorize requests for all mailboxes an hour, without renewals; 0 is off',
  }),
});

export type QuotaConfig = ReturnType<typeof readQuotaConfig>;
