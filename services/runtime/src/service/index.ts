import {
  type Config,
  type Environment,
  grpcServerVariables,
  logVariables,
  mongodbVariables,
  readConfig,
} from '../config/read-config.js';
import type { Variable } from '../config/variable.js';
import type { Clock } from '../deadline.js';
import {
  type AccessList,
  type Certificates,
  grpcServerConfig,
  grpcServerFaults,
  type HealthCheck,
  loadGrpcCertificates,
  type ServiceImplementation,
  serveGrpc,
} from '../grpc/index.js';
import { type Closable, closeAll, closeLimitMs } from '../lifecycle/promises.js';
import type { RunningProcess } from '../lifecycle/run-main.js';
import { createLogger, type Logger } from '../log/logger.js';
import {
  applySchema,
  type CollectionDeclaration,
  connectMongo,
  type DataMigration,
  type Mongo,
  startMigration,
} from '../mongodb/index.js';
import { startTelemetry, type Telemetry, telemetryVariables } from '../telemetry/index.js';

/** The parts in which one service differs from another. */
interface ServiceDefinition<Settings extends ServiceConfig> {
  readonly name: string;
  readonly readConfig: (env: Environment) => Settings;
  /** All collections of the service's database. */
  readonly schema: readonly CollectionDeclaration[];
  /** Changes to data that older versions stored (deploy/README.md#data-migrations). */
  readonly migrations?: readonly DataMigration[];
  /** The methods that each caller may call. */
  readonly access: AccessList;
  /** The size limit of a request in bytes, if the default of `serveGrpc` is too small. */
  readonly maxRequestBytes?: number;
  /** Whether calls are refused until the schema is applied. Queries that name an index need this. */
  readonly needsSchema?: boolean;
  /** Creates the parts of the service. It must not wait for any dependency. */
  readonly compose: (base: ServiceBase<Settings>) => ServiceParts;
}

/** The shared parts that the runtime creates for every service. */
export interface ServiceBase<Settings extends ServiceConfig = ServiceConfig> {
  readonly config: Settings;
  readonly log: Logger;
  /** The clock of the database, so that all replicas agree whatever their own clocks say. */
  readonly clock: Clock;
  /** The certificates of the service, as a server and as a client. */
  readonly tls: Certificates | undefined;
  readonly telemetry: Telemetry;
  readonly mongo: Mongo;
  /** Separate connections for streams, so that many streams do not block ordinary calls. */
  readonly streamsMongo: Mongo;
}

/** The parts that a service creates for itself. */
export interface ServiceParts {
  readonly implementations: readonly ServiceImplementation[];
  /** Closed in reverse order after the server has closed. */
  readonly closables: readonly Closable[];
  /** Dependencies other than the database that must work before the service is ready. */
  readonly health?: readonly HealthCheck[];
  /** Called when the schema is applied. `ready` resolves after it. */
  complete?(): Promise<unknown>;
}

export interface RunningService extends RunningProcess {
  /** Resolves when the schema is applied and `complete` has finished. Never settles if the service is closed before. */
  readonly ready: Promise<void>;
}

/** Runs a service, or only applies its schema. */
export interface Service {
  /**
   * Starts the service. It listens within a second and becomes ready when its schema is applied and its dependencies
   * work. Tests pass their own clock.
   *
   * @throws ConfigError before it opens anything.
   */
  start(env: Environment, clock?: Clock): Promise<RunningService>;
  /** Only applies the schema. It waits for MongoDB without a limit. */
  migrate(env: Environment): Promise<void>;
}

export function defineService<Settings extends ServiceConfig>(definition: ServiceDefinition<Settings>): Service {
  return {
    start: (env, clock) => start(definition, env, clock),
    migrate: (env) => migrate(definition, env),
  };
}

async function start<Settings extends ServiceConfig>(
  {
    name,
    readConfig,
    schema,
    migrations,
    access,
    maxRequestBytes,
    needsSchema = false,
    compose,
  }: ServiceDefinition<Settings>,
  env: Environment,
  testClock: Clock | undefined,
): Promise<RunningService> {
  const config = readConfig(env);
  const log = openLog(name, config);
  const tls = loadGrpcCertificates(config, log);
  const telemetry = await startTelemetry(name, config, log);
  const mongo = openDatabase(config, log, telemetry);
  const streamsMongo = openDatabase(config, log, telemetry);
  const migration = startMigration(mongo.db, schema, log, migrations, name);
  // So the workers begin with the right time. Without a database they begin too, and fail until it answers.
  await Promise.race([mongo.check.check(AbortSignal.timeout(1000)).catch(() => undefined), mongo.misconfigured]);
  const clock = testClock ?? (() => mongo.clock.now());
  const parts = compose({ config, log, clock, tls, telemetry, mongo, streamsMongo });
  const failed = Promise.race([mongo.misconfigured, migration.refused]);
  failed.catch(() => undefined);
  const ready = migration.done.then(async () => void (await parts.complete?.()));
  const server = await serveGrpc({
    ...grpcServerConfig(config, tls, access),
    address: config.GRPC_ADDRESS,
    ...(maxRequestBytes !== undefined && { maxRequestBytes }),
    ...(needsSchema && { refuseUntil: migration.done }),
    services: parts.implementations,
    health: [migration.check, mongo.check, ...(parts.health ?? [])],
    complete: ready,
    clock,
    log,
    telemetry,
  });
  const drainMs = config.DRAIN_DELAY_SECONDS * 1000;
  return {
    address: server.address,
    log,
    ready,
    failed,
    drainMs,
    close: () =>
      closeAll([telemetry, mongo, streamsMongo, migration, ...parts.closables, server], drainMs + closeLimitMs),
  };
}

async function migrate<Settings extends ServiceConfig>(
  { name, readConfig, schema, migrations }: ServiceDefinition<Settings>,
  env: Environment,
) {
  const config = readConfig(env);
  const log = openLog(name, config);
  const mongo = openDatabase(config, log);
  try {
    await Promise.race([applySchema(mongo.db, schema, { log, owner: name, migrations }), mongo.misconfigured]);
    log.info('the schema is applied');
  } finally {
    await mongo.close();
  }
}

function openLog(name: string, config: ServiceConfig) {
  return createLogger({ name, level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
}

function openDatabase(
  { MONGODB_URI: uri, MONGODB_DATABASE: database }: ServiceConfig,
  log: Logger,
  telemetry?: Telemetry,
) {
  return connectMongo({ uri, database, appName: database, log, telemetry });
}

const baseVariables = { ...logVariables, ...telemetryVariables, ...grpcServerVariables, ...mongodbVariables };

/** The shared variables whose defaults differ between the services. */
interface BaseVariables {
  readonly GRPC_ADDRESS: Variable<string>;
  readonly MONGODB_DATABASE: Variable<string>;
}

/** The configuration that every service has. */
type ServiceConfig = Config<typeof baseVariables & BaseVariables>;

/** Finds faults in the configuration that the types of the variables do not find. */
type Check<Settings> = (config: Settings) => readonly string[];

/** Makes a function that reads the shared variables and those in `own`. It throws one ConfigError with all faults. */
export function serviceConfig<Own extends BaseVariables & Record<string, Variable<unknown>>>(
  own: Own,
  ...checks: Check<Config<typeof baseVariables & Own>>[]
): (env: Environment) => Config<typeof baseVariables & Own> {
  const variables = { ...baseVariables, ...own };
  const all = [...checks, grpcServerFaults as Check<Config<typeof variables>>];
  return (env) => readConfig(env, variables, (config) => [...new Set(all.flatMap((check) => check(config)))]);
}
