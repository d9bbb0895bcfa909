import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { implement } from '@knowledge/runtime/grpc';
import { defineService, type ServiceBase, type ServiceParts } from '@knowledge/runtime/service';
import { startLogTail } from '@knowledge/runtime/watch';
import { access } from './access.js';
import { type QuotaConfig, readQuotaConfig } from './config.js';
import { RefusalCache } from './domain/decision.js';
import { createPolicies } from './domain/policy.js';
import { createQuota } from './domain/quota.js';
import { quotaHandlers } from './handlers/quota.js';
import { quotaAdminHandlers } from './handlers/quota-admin.js';
import { createCeilingPortions } from './store/ceiling-portions.js';
import { ceilingsSchema, followCeilings } from './store/ceilings.js';
import { createCounterStore } from './store/counter-store.js';
import { createLeaseStore } from './store/lease-store.js';
import { createSubjectLog, schema } from './store/schema.js';
import { createUsedUpDays, usedUpSchema } from './store/used-up-days.js';
import { startGiveBack } from './workers/give-back.js';
import { startResultCounter } from './workers/result-counter.js';

export const { start, migrate } = defineService({
  name: 'quota',
  readConfig: readQuotaConfig,
  schema: [...schema, usedUpSchema, ceilingsSchema],
  access,
  // One request may contain the items of hundreds of readers.
  maxRequestBytes: 1024 * 1024,
  compose,
});

/** How much later than its deadline a write may count, since the clock of the database is only estimated. */
const toleranceMs = 20;

function compose({ config, clock, log, telemetry, mongo, streamsMongo }: ServiceBase<QuotaConfig>): ServiceParts {
  const now = () => clock().getTime();
  const configured = createPolicies({
    anonymousPerAddress: config.QUOTA_ANONYMOUS_PER_ADDRESS,
    authorizePerAddress: config.AUTHORIZE_PER_ADDRESS,
    authorizePerDomain: config.AUTHORIZE_PER_MAIL_DOMAIN,
    authorizePerHour: config.AUTHORIZE_PER_HOUR,
  });
  const ceilings = followCeilings({ configured, db: mongo.db, log });
  const { policies } = ceilings;
  const memory = new RefusalCache();
  const lastMoment = (deadline: number) => mongo.clock.at(deadline + toleranceMs);
  const store = createCounterStore({ client: mongo.client, db: mongo.db, memory, now, lastMoment });
  const leases = createLeaseStore(mongo.db);
  const portions = createCeilingPortions({ db: mongo.db, now, log });
  const quota = createQuota({ policies, store, portions, leases, memory, now });
  const giveBack = startGiveBack({ leases, memory, metrics: telemetry.metrics, log });
  const subjectLog = createSubjectLog(streamsMongo.db);
  const subjectTail = startLogTail(subjectLog, log, 1000);
  const usedUpDays = createUsedUpDays(mongo.db);
  const results = startResultCounter({ metrics: telemetry.metrics, days: usedUpDays, now, log });
  return {
    implementations: [
      implement(QuotaServiceService, quotaHandlers({ quota, policies, leases, count: results.count, now, telemetry })),
      implement(QuotaAdminServiceService, quotaAdminHandlers({ quota, ceilings, usedUpDays, subjectLog, subjectTail })),
    ],
    closables: [ceilings, giveBack, store, portions, subjectTail, results],
    complete: () => ceilings.loaded,
  };
}
