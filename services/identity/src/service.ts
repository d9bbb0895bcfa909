import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Clock } from '@knowledge/runtime';
import { closeAll, createLogger, type Environment, type Logger, operatorOf, type Running } from '@knowledge/runtime';
import { grpcServerConfig, grpcTls, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { createSmtpTransport, startOutbox } from '@knowledge/runtime/mail';
import { applySchema, connectMongo, type Mongo, startMigration } from '@knowledge/runtime/mongodb';
import { type CountTransitions, countTransitions, startTelemetry, type Telemetry } from '@knowledge/runtime/telemetry';
import { startLogTail } from '@knowledge/runtime/watch';
import { access } from './access.js';
import { connectLimits } from './clients/quota.js';
import { type IdentityConfig, readIdentityConfig } from './config.js';
import { grantAdminHandlers } from './handlers/grant-admin.js';
import { identityHandlers } from './handlers/identity.js';
import { composeLinkMails, composeMails } from './mail/compose.js';
import { createAccessKeyStore } from './store/access-keys.js';
import { createAskerStore } from './store/askers.js';
import { createAuthorizationStore } from './store/authorizations.js';
import { createBlockStore } from './store/blocks.js';
import { createGrantStore } from './store/grants.js';
import { createMailStore } from './store/mails.js';
import { joinComposers, joinOutboxes } from './store/outboxes.js';
import { createPersonStore } from './store/people.js';
import { schema } from './store/schema.js';
import { createTokenStore } from './store/tokens.js';
import { createTransitionLog } from './store/transitions.js';
import { startHousekeeping } from './workers/housekeeping.js';
import { startTokenUses } from './workers/token-uses.js';

/**
 * Starts the service: it listens at once, and is ready when the schema is applied and MongoDB answers. The mail server and
 * quota may be away; that never makes it unready.
 *
 * @throws ConfigError before anything is opened.
 */
export async function start(env: Environment, clock: Clock = () => new Date()): Promise<Running> {
  const config = readIdentityConfig(env);
  const log = createLogger({ name: 'identity', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const tls = grpcTls(config, log);
  const telemetry = await startTelemetry('identity', config, log);
  const mongo = openDatabase(config, log, telemetry);
  // The log and its streams have connections of their own: no crowd of streams can take those of the calls.
  const watching = openDatabase(config, log, telemetry);
  const migration = startMigration(mongo.db, schema, log);
  const stores = openStores(mongo, watching, config, countTransitions(telemetry.metrics));
  const limits = connectLimits({ address: config.QUOTA_ADDRESS, callerName: 'identity', tls, telemetry });
  const operator = operatorOf(config);
  const transport = createSmtpTransport(config, operator.contact.email);
  const baseUrls = { io: config.PUBLIC_URL_IO, org: config.PUBLIC_URL_ORG };
  const outbox = startOutbox({
    store: joinOutboxes(stores.mails, stores.keys),
    compose: joinComposers(
      composeMails({
        mails: stores.mails,
        tokens: stores.tokens,
        baseUrls,
        codeLifeMinutes: config.CODE_TTL_MINUTES,
        clock,
      }),
      composeLinkMails(stores.keys, baseUrls),
    ),
    transport,
    operator,
    log,
    telemetry,
    now: clock,
  });
  const uses = startTokenUses(stores.tokens, log);
  const follower = startLogTail(stores.transitions, log);
  const housekeeping = startHousekeeping(stores, clock, log);
  const parts = {
    ...stores,
    userCodeRule: config.CONFIRM_USER_CODE,
    mail: { from: config.MAIL_FROM, linkMinutes: config.CODE_TTL_MINUTES },
    operatorName: operator.name,
    limits,
    uses,
    follower,
    wakeOutbox: outbox.wake,
  };

  const server = await serveGrpc({
    ...grpcServerConfig(config, tls, access),
    address: config.GRPC_ADDRESS,
    clock,
    services: [
      implement(IdentityServiceService, identityHandlers(parts)),
      implement(GrantAdminServiceService, grantAdminHandlers(parts)),
    ],
    health: [migration.check, mongo.check],
    log,
    telemetry,
  });
  const closables = [
    telemetry,
    mongo,
    watching,
    migration,
    limits,
    transport,
    outbox,
    uses,
    follower,
    housekeeping,
    server,
  ];
  return { address: server.address, log, close: () => closeAll(closables) };
}

/** The schema step alone: applies it, waiting for MongoDB as long as it takes. */
export async function migrate(env: Environment): Promise<void> {
  const config = readIdentityConfig(env);
  const log = createLogger({ name: 'identity', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const mongo = openDatabase(config, log);
  try {
    await applySchema(mongo.db, schema, { log });
    log.info('the schema is applied');
  } finally {
    await mongo.close();
  }
}

function openDatabase(config: IdentityConfig, log: Logger, telemetry?: Telemetry): Mongo {
  return connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    appName: 'identity',
    log,
    telemetry,
  });
}

function openStores({ client, db }: Mongo, watching: Mongo, config: IdentityConfig, count: CountTransitions) {
  return {
    authorizations: createAuthorizationStore(db),
    keys: createAccessKeyStore(db),
    blocks: createBlockStore(db),
    askers: createAskerStore(db),
    tokens: createTokenStore(db),
    grants: createGrantStore(client, db),
    people: createPersonStore(db),
    mails: createMailStore(db, config.CODE_TTL_MINUTES * 60_000),
    transitions: createTransitionLog(watching.db, count),
  };
}
