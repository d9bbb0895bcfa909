import {
  type QuotaServiceService as QuotaDefinition,
  QuotaServiceService,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import {
  type QuotaAdminServiceService as QuotaAdminDefinition,
  QuotaAdminServiceService,
} from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { closeAll, createLogger, type Environment, type Logger, type Running } from '@knowledge/runtime';
import { grpcServerConfig, grpcTls, type Handlers, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { applySchema, connectMongo, type Mongo, startMigration } from '@knowledge/runtime/mongodb';
import { startTelemetry, type Telemetry } from '@knowledge/runtime/telemetry';
import { type LogTail, startLogTail } from '@knowledge/runtime/watch';
import { access } from './access.js';
import { type QuotaConfig, readQuotaConfig } from './config.js';
import type { LeaseStore } from './domain/lease.js';
import { createPolicies, type Policies } from './domain/policy.js';
import { createQuota, type Quota } from './domain/quota.js';
import { RefusalMemory } from './domain/refusal-memory.js';
import type { Clock } from './domain/window.js';
import { handleConsume } from './handlers/consume.js';
import { type CountDecisions, countGivenBack, createDecisionCounter } from './handlers/decision-counter.js';
import { handlePeek } from './handlers/peek.js';
import { handleResetSubject } from './handlers/reset-subject.js';
import { handleSettle } from './handlers/settle.js';
import { handleShowSubject } from './handlers/show-subject.js';
import { handleWatchSubjects } from './handlers/watch-subjects.js';
import { createLeaseStore } from './store/lease-store.js';
import { schema } from './store/schema.js';
import { followServerClock } from './store/server-clock.js';
import { createSubjectLog, type SubjectEntry, type SubjectLog } from './store/subject-log.js';
import { createTallyStore } from './store/tally-store.js';
import { startGiveBack } from './workers/give-back.js';

/** The running service, and when its schema is there. */
export interface QuotaProcess extends Running {
  /** Resolves when the schema is applied. */
  readonly ready: Promise<void>;
}

const appName = 'quota';

/**
 * Starts the service: it listens at once, and is ready when the schema is applied and MongoDB answers.
 *
 * @throws ConfigError before anything is opened.
 */
export async function start(env: Environment, now: Clock = Date.now): Promise<QuotaProcess> {
  const config = readQuotaConfig(env);
  const log = createLogger({ name: appName, level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const tls = grpcTls(config, log);
  const telemetry = await startTelemetry(appName, config, log);
  const policies = createPolicies({
    anonymousPerAddress: config.QUOTA_ANONYMOUS_PER_ADDRESS,
    authorizePerAddress: config.AUTHORIZE_PER_ADDRESS,
  });
  const mongo = openDatabase(config, log, telemetry);
  // The log and its streams have connections of their own: counting never waits for them.
  const watching = openDatabase(config, log, telemetry);
  const migration = startMigration(mongo.db, schema, log);
  const memory = new RefusalMemory();
  const clock = followServerClock(mongo.db, log);
  const store = createTallyStore({ client: mongo.client, db: mongo.db, memory, now, clock });
  const leases = createLeaseStore(mongo.db);
  const quota = createQuota({ policies, store, leases, memory, now });
  const giveBack = startGiveBack({ leases, memory, count: countGivenBack(telemetry.metrics), log });
  const acts = createSubjectLog(watching.db);
  const tail = startLogTail(acts, log, 1000);
  const server = await serveGrpc({
    ...grpcServerConfig(config, tls, access),
    address: config.GRPC_ADDRESS,
    // The items of hundreds of readers travel together.
    maxRequestBytes: 1024 * 1024,
    services: [
      implement(QuotaServiceService, quotaHandlers(quota, leases, policies, createDecisionCounter(telemetry.metrics))),
      implement(QuotaAdminServiceService, adminHandlers(quota, acts, tail)),
    ],
    health: [migration.check, mongo.check],
    log,
    telemetry,
  });
  return {
    address: server.address,
    log,
    ready: migration.done,
    close: () => closeAll([telemetry, mongo, watching, migration, clock, giveBack, store, tail, server]),
  };
}

/** The schema step alone: applies it, waiting for MongoDB as long as it takes. */
export async function migrate(env: Environment): Promise<void> {
  const config = readQuotaConfig(env);
  const log = createLogger({ name: appName, level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const mongo = openDatabase(config, log);
  try {
    await applySchema(mongo.db, schema, { log });
    log.info('the schema is applied');
  } finally {
    await mongo.close();
  }
}

function openDatabase(config: QuotaConfig, log: Logger, telemetry?: Telemetry): Mongo {
  return connectMongo({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, appName, log, telemetry });
}

function quotaHandlers(
  quota: Quota,
  leases: LeaseStore,
  policies: Policies,
  count: CountDecisions,
): Handlers<QuotaDefinition> {
  return {
    consume: handleConsume(quota, policies, count),
    settle: handleSettle(leases),
    peek: handlePeek(quota, policies),
  };
}

function adminHandlers(quota: Quota, acts: SubjectLog, tail: LogTail<SubjectEntry>): Handlers<QuotaAdminDefinition> {
  return {
    showSubject: handleShowSubject(quota, acts),
    resetSubject: handleResetSubject(quota, acts),
    watchSubjects: handleWatchSubjects(tail),
  };
}
