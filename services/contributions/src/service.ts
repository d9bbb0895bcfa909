import {
  type ContributionsServiceService as ContributionsDefinition,
  ContributionsServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  type PromptServiceService as PromptDefinition,
  PromptServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { closeAll, createLogger, type Environment, KnowledgeError, type Running } from '@knowledge/runtime';
import { grpcTls, type Handlers, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { applySchema, connectMongo, type Mongo, startMigration } from '@knowledge/runtime/mongodb';
import type { Clock } from './clock.js';
import { type ContributionsConfig, readContributionsConfig } from './config.js';
import { handleActivatePrompt } from './handlers/activate-prompt.js';
import { handleClosePrompt } from './handlers/close-prompt.js';
import { handleCreatePrompt } from './handlers/create-prompt.js';
import { handleGetActivePrompt } from './handlers/get-active-prompt.js';
import { handleListPrompts } from './handlers/list-prompts.js';
import { handleListPublicPrompts } from './handlers/list-public-prompts.js';
import { createPromptStore, type PromptStore } from './store/prompts.js';
import { schema } from './store/schema.js';
import { startPromptClock } from './workers/prompt-clock.js';

/** The running service, and when its schema is there. */
export interface ContributionsService extends Running {
  /** Resolves when the schema is applied and the workers run. */
  readonly ready: Promise<void>;
}

/**
 * Starts the service: it listens at once, and is ready when the schema is applied and MongoDB answers. What it calls may
 * be away; that never makes it unready.
 *
 * @throws ConfigError before anything is opened.
 */
export async function start(env: Environment, clock: Clock = () => new Date()): Promise<ContributionsService> {
  const config = readContributionsConfig(env);
  const log = createLogger({ name: 'contributions', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const mongo = openDatabase(config, log);
  const migration = startMigration(mongo.db, schema, log);
  const prompts = createPromptStore(mongo.client, mongo.db, () => undefined);

  const workers: { close(): Promise<unknown> }[] = [];
  let closing = false;
  const ready = migration.done.then(() => {
    if (!closing) workers.push(startPromptClock(prompts, clock, log));
  });
  const server = await serveGrpc({
    address: config.GRPC_ADDRESS,
    services: [
      implement(ContributionsServiceService, contributionsHandlers(prompts, clock)),
      implement(PromptServiceService, promptHandlers(prompts, clock)),
    ],
    health: [migration.check, mongo.check],
    log,
    tls: grpcTls(config),
    plaintext: config.GRPC_PLAINTEXT,
    reflection: config.GRPC_REFLECTION,
    maxConnectionAgeSeconds: config.GRPC_MAX_CONNECTION_AGE_SECONDS,
    drainDelaySeconds: config.DRAIN_DELAY_SECONDS,
  });
  return {
    address: server.address,
    log,
    ready,
    close: () => {
      closing = true;
      return closeAll([mongo, migration, { close: () => closeAll(workers) }, server]);
    },
  };
}

/** The schema step alone: applies it, waiting for MongoDB as long as it takes. */
export async function migrate(env: Environment): Promise<void> {
  const config = readContributionsConfig(env);
  const log = createLogger({ name: 'contributions', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const mongo = openDatabase(config, log);
  try {
    await applySchema(mongo.db, schema, { log });
    log.info('the schema is applied');
  } finally {
    await mongo.close();
  }
}

function openDatabase(config: ContributionsConfig, log: ReturnType<typeof createLogger>): Mongo {
  return connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    appName: 'contributions',
    log,
  });
}

function contributionsHandlers(prompts: PromptStore, clock: Clock): Handlers<ContributionsDefinition> {
  const notYet = async (): Promise<never> => {
    throw new KnowledgeError('method_not_allowed', 'Contributions are not taken yet.');
  };
  return {
    submitContribution: notYet,
    getContribution: notYet,
    listContributions: notYet,
    withdrawContribution: notYet,
    getActivePrompt: handleGetActivePrompt(prompts, clock),
    listPublicPrompts: handleListPublicPrompts(prompts, clock),
  };
}

function promptHandlers(prompts: PromptStore, clock: Clock): Handlers<PromptDefinition> {
  return {
    createPrompt: handleCreatePrompt(prompts, clock),
    activatePrompt: handleActivatePrompt(prompts, clock),
    closePrompt: handleClosePrompt(prompts, clock),
    listPrompts: handleListPrompts(prompts, clock),
  };
}
