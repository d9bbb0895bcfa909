import type { Clock } from '@knowledge/runtime';
import {
  type Closable,
  closeAll,
  createLogger,
  type Environment,
  type Logger,
  operatorOf,
  type Running,
} from '@knowledge/runtime';
import { grpcServerConfig, grpcTls, serveGrpc } from '@knowledge/runtime/grpc';
import { createSmtpTransport, startOutbox } from '@knowledge/runtime/mail';
import { applySchema, connectMongo, type Mongo, startMigration } from '@knowledge/runtime/mongodb';
import { countTransitions, startTelemetry, type Telemetry } from '@knowledge/runtime/telemetry';
import { startLogTail } from '@knowledge/runtime/watch';
import { access } from './access.js';
import { connectCatalog } from './clients/catalog.js';
import { connectIdentity } from './clients/identity.js';
import { connectWriteLimit } from './clients/write-limit.js';
import { type ContributionsConfig, readContributionsConfig } from './config.js';
import { createTurns } from './domain/turns.js';
import { implementServices } from './handlers/index.js';
import { composeMail } from './mail/compose.js';
import { createAuthorizationStore } from './store/authorizations.js';
import { toContribution } from './store/contribution-document.js';
import { createContributionMails } from './store/contribution-mails.js';
import { createContributionStore } from './store/contributions.js';
import { createEnding } from './store/ending.js';
import { createPeopleStore } from './store/people.js';
import { createPersonalDataStore } from './store/personal-data.js';
import { createPromptStore } from './store/prompts.js';
import { createPublicationStore } from './store/publications.js';
import { schema } from './store/schema.js';
import { createSubmissionStore } from './store/submissions.js';
import { createTransitionLog } from './store/transition-log.js';
import { startEndedAuthorizations } from './workers/ended-authorizations.js';
import { startPromptClock } from './workers/prompt-clock.js';
import { startPublisher } from './workers/publisher.js';
import { startPurger } from './workers/purger.js';

/** The running service, and when its schema is there. */
export interface ContributionsService extends Running {
  /** Resolves when the schema is applied. */
  readonly ready: Promise<void>;
}

/**
 * Starts the service: it listens at once, and is ready when the schema is applied and MongoDB answers. What it calls may
 * be away; that never makes it unready. Its workers start with it and wait for MongoDB by themselves.
 *
 * @throws ConfigError before anything is opened.
 */
export async function start(env: Environment, clock: Clock = () => new Date()): Promise<ContributionsService> {
  const config = readContributionsConfig(env);
  const log = createLogger({ name: 'contributions', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const tls = grpcTls(config, log);
  const telemetry = await startTelemetry('contributions', config, log);
  const { client, db, ...mongo } = openDatabase(config, log, telemetry);
  // The log and its streams have connections of their own: no crowd of streams can take those of the calls.
  const watching = openDatabase(config, log, telemetry);
  const migration = startMigration(db, schema, log);

  const kicked: (() => void)[] = [];
  const changed = (): void => {
    for (const kick of kicked) kick();
  };
  const prompts = createPromptStore(client, db, changed);
  const authorizations = createAuthorizationStore(db);
  const contributions = createContributionStore(db, authorizations, changed);
  const endAuthorizations = createEnding(authorizations, contributions);
  const personalData = createPersonalDataStore(db, changed);
  const limit = connectWriteLimit({ address: config.QUOTA_ADDRESS, tls, telemetry });
  const catalog = connectCatalog({ address: config.CONTENT_ADDRESS, tls, telemetry });
  const operator = operatorOf(config);
  const transport = createSmtpTransport(config, operator.contact.email);
  const identity = connectIdentity({ address: config.IDENTITY_ADDRESS, tls, telemetry });

  const urls = { io: config.PUBLIC_URL_IO, org: config.PUBLIC_URL_ORG };
  const publisher = startPublisher(createPublicationStore(db), catalog, clock, log);
  const outbox = startOutbox({
    store: createContributionMails(db),
    compose: ({ owner, mail }, signal) =>
      composeMail(toContribution(owner), mail, { urls, makeAccessKey: identity.accessKey }, signal),
    transport,
    operator,
    log,
    telemetry,
    now: clock,
  });
  const transitions = createTransitionLog(watching.db, countTransitions(telemetry.metrics));
  const follower = startLogTail(transitions, log);
  kicked.push(publisher.kick, outbox.wake, follower.kick);
  const ended = startEndedAuthorizations(identity, authorizations, endAuthorizations, clock, log);
  const workers = [
    publisher,
    outbox,
    follower,
    ended,
    startPromptClock(prompts, clock, log),
    startPurger(personalData, log),
  ];

  const server = await serveGrpc({
    ...grpcServerConfig(config, tls, access),
    address: config.GRPC_ADDRESS,
    clock,
    services: implementServices({
      prompts,
      contributions,
      people: createPeopleStore(db),
      endAuthorizations,
      personalData,
      follower,
      transitions,
      submit: {
        turns: createTurns(),
        operatorName: operator.name,
        submissions: createSubmissionStore(client, db, changed),
        limit,
        activePrompt: prompts.active,
      },
      metrics: telemetry.metrics,
    }),
    health: [migration.check, mongo.check],
    log,
    telemetry,
  });
  const opened: Closable[] = [
    telemetry,
    mongo,
    watching,
    migration,
    transport,
    catalog,
    limit,
    identity,
    together(workers),
    server,
  ];
  return { address: server.address, log, ready: migration.done, close: () => closeAll(opened) };
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

function openDatabase(config: ContributionsConfig, log: Logger, telemetry?: Telemetry): Mongo {
  return connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    appName: 'contributions',
    log,
    telemetry,
  });
}

function together(closables: readonly Closable[]): Closable {
  return { close: () => Promise.all(closables.map((each) => each.close())) };
}
