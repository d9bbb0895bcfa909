export { type MailDomainRule, refusedByRule } from './domain/domain-rule.js';
export { mailDomainHandlers } from './handlers/mail-domains.js';
export { createMailDomainStore, type MailDomainStore } from './store/domain-rules.js';
export { mailDomainsSchema } from './store/schema.js';
