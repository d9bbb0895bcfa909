import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import {
  closeAll,
  createLogger,
  type Environment,
  KnowledgeError,
  type Logger,
  type Running,
} from '@knowledge/runtime';
import { grpcServerConfig, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { applySchema, connectMongo, type Mongo, startMigration } from '@knowledge/runtime/mongodb';
import type { Clock } from './clock.js';
import { type IdentityConfig, readIdentityConfig } from './config.js';
import { handleIssueToken } from './handlers/issue-token.js';
import { handleListTokens } from './handlers/list-tokens.js';
import { handleResolveTokens } from './handlers/resolve-tokens.js';
import { handleRevokeTokenById } from './handlers/revoke-token-by-id.js';
import { createGrantStore } from './store/grants.js';
import { schema } from './store/schema.js';
import { createTokenStore } from './store/tokens.js';
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
  const mongo = openDatabase(config, log);
  const migration = startMigration(mongo.db, schema, log);
  const tokens = createTokenStore(mongo.db);
  const grants = createGrantStore(mongo.client, mongo.db);
  const uses = startTokenUses(tokens, log);
  const notYet = async (): Promise<never> => {
    throw new KnowledgeError('method_not_allowed', 'Not there yet.');
  };

  const server = await serveGrpc({
    ...grpcServerConfig(config),
    address: config.GRPC_ADDRESS,
    services: [
      implement(IdentityServiceService, {
        createAuthorization: notYet,
        getConfirmation: notYet,
        decideAuthorization: notYet,
        resendConfirmation: notYet,
        exchangeDeviceCode: notYet,
        resolveTokens: handleResolveTokens(tokens, uses, clock),
        getToken: notYet,
        revokeToken: notYet,
        getAccess: notYet,
        revokeAccess: notYet,
      }),
      implement(GrantAdminServiceService, {
        listTokens: handleListTokens(tokens, clock),
        revokeTokenById: handleRevokeTokenById(grants, clock),
        issueToken: handleIssueToken(grants, () => undefined, clock),
        listAuthorizations: notYet,
        getAuthorizationRecord: notYet,
        exportPerson: notYet,
        erasePerson: notYet,
        watchGrants: notYet,
      }),
    ],
    health: [migration.check, mongo.check],
    log,
  });
  return { address: server.address, log, close: () => closeAll([mongo, migration, uses, server]) };
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

function openDatabase(config: IdentityConfig, log: Logger): Mongo {
  return connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    appName: 'identity',
    log,
  });
}
