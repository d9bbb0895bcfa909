import { ConfirmedErasureServiceService, ErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { StaffServiceService, StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { operatorOf } from '@knowledge/runtime';
import { implement } from '@knowledge/runtime/grpc';
import { mailAdminHandlers } from '@knowledge/runtime/mail';
import { defineService, type ServiceBase, type ServiceParts } from '@knowledge/runtime/service';
import { countTransitions } from '@knowledge/runtime/telemetry';
import { startLogTail } from '@knowledge/runtime/watch';
import { access } from './access.js';
import { connectLimits } from './clients/quota.js';
import { type IdentityConfig, readIdentityConfig } from './config.js';
import { confirmedErasureHandlers, erasureHandlers } from './erasures/handlers.js';
import { createErasureStore, erasuresSchema } from './erasures/store.js';
import { grantAdminHandlers } from './handlers/grant-admin.js';
import { identityHandlers } from './handlers/identity.js';
import { mailDomainHandlers } from './mail-domains/handlers.js';
import { createMailDomainStore, mailDomainsSchema } from './mail-domains/store.js';
import { staffHandlers, staffSessionHandlers } from './staff/handlers.js';
import { openStaffStores, staffSchema } from './staff/store.js';
import { openStores } from './store/open-stores.js';
import { schema } from './store/schema.js';
import { startHousekeeping, startTokenUses } from './workers/housekeeping.js';
import { startMails } from './workers/mails.js';

export const { start, migrate } = defineService({
  name: 'identity',
  readConfig: readIdentityConfig,
  schema: [...staffSchema, erasuresSchema, ...mailDomainsSchema, ...schema],
  access,
  compose,
});

function compose(base: ServiceBase<IdentityConfig>): ServiceParts {
  const { config, clock, log, tls, telemetry, mongo, streamsMongo } = base;
  const linkMinutes = config.CODE_TTL_MINUTES;
  const stores = openStores(mongo, streamsMongo, { linkMinutes, count: countTransitions(telemetry.metrics) });
  const staff = openStaffStores(mongo.db);
  const limits = connectLimits({ address: config.QUOTA_ADDRESS, callerName: 'identity', tls, telemetry });
  const operator = operatorOf(config);
  const mails = startMails(base, stores, operator);
  const uses = startTokenUses(stores.tokens, log);
  const follower = startLogTail(stores.transitions, log);
  const housekeeping = startHousekeeping(stores, clock, log, mails.wake);
  const parts = {
    ...stores,
    erasures: createErasureStore(mongo.db),
    mailDomains: createMailDomainStore(mongo.db),
    userCodeRule: config.CONFIRM_USER_CODE,
    mail: { from: config.MAIL_FROM, linkMinutes },
    operatorName: operator.name,
    limits,
    uses,
    follower,
    wakeOutbox: mails.wake,
  };
  return {
    implementations: [
      implement(IdentityServiceService, identityHandlers(parts)),
      implement(MailAdminServiceService, mailAdminHandlers({ ...stores, mails: mails.store, wake: mails.wake })),
      implement(GrantAdminServiceService, grantAdminHandlers(parts)),
      implement(StaffSessionServiceService, staffSessionHandlers(staff)),
      implement(StaffServiceService, staffHandlers(staff)),
      implement(MailDomainServiceService, mailDomainHandlers(parts)),
      implement(ErasureServiceService, erasureHandlers(parts)),
      implement(ConfirmedErasureServiceService, confirmedErasureHandlers(parts)),
    ],
    closables: [limits, ...mails.closables, uses, follower, housekeeping],
  };
}
