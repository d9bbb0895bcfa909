import {
  BSON,
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
  type IndexDescriptionInfo,
} from 'mongodb';
import { ConfigError } from '../config/read-config.js';
import { isOutage } from '../errors/knowledge-error.js';
import type { HealthCheck } from '../grpc/health.js';
import { orAbort, pause } from '../lifecycle/promises.js';
import type { Logger } from '../log/logger.js';
import { type DataMigration, runDataMigrations } from './data-migrations.js';
import { isDuplicateKey } from './operation.js';

/** A collection that the code declares. */
export interface CollectionDeclaration {
  name: string;
  /** A `$jsonSchema` or another filter that every document must match. Other writes fail with code 121. */
  validator?: Document;
  indexes?: readonly IndexDeclaration[];
}

export interface ApplyOptions {
  /** Stops the retries when it aborts. Outages and races with other replicas are retried until then. */
  signal?: AbortSignal | undefined;
  log?: Logger | undefined;
  /** The service that must own the database. */
  owner?: string | undefined;
  /** Data migrations, which run in this order before the schema is applied. */
  migrations?: readonly DataMigration[] | undefined;
}

/**
 * Runs the data migrations and then makes collections, validators and indexes match the declaration. It may run again,
 * and in many replicas at once. It modifies a changed time to live in place, and drops and creates a changed index.
 * Undeclared collections and indexes stay (SECURITY.md#database).
 *
 * @throws an error that a retry cannot repair, e.g. duplicates under a new unique index, or the signal's reason.
 */
export async function applySchema(
  db: Db,
  collections: readonly CollectionDeclaration[],
  { signal, log, owner, migrations = [] }: ApplyOptions = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      if (owner !== undefined) await orAbort(requireOwner(db, owner), signal);
      await runDataMigrations(db, migrations, { signal, log });
      for (const declared of collections) await applyCollection(db, declared, signal);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const racing = isRace(error);
      if (!racing && !isOutage(error)) throw error;
      if (!racing || attempt % 10 === 0) log?.warn({ err: error, attempt }, 'the schema is not applied yet');
      await pause(Math.min(2000, 50 * 2 ** Math.min(attempt, 6)) * (0.5 + Math.random() / 2), signal);
    }
  }
}

async function applyCollection(db: Db, declared: CollectionDeclaration, signal?: AbortSignal) {
  const { name, validator } = declared;
  const options = { ...(signal && { signal }) };
  const [existing] = await db.listCollections({ name }, options).toArray();
  const rule = { validationLevel: 'strict', validationAction: 'error' } as const;
  if (existing === undefined) {
    // `createCollection` has no signal option: it would send the signal to the server as a field.
    await orAbort(db.createCollection(name, { ...(validator && { validator, ...rule }) }), signal);
  } else if (validator !== undefined && !sameRule(existing, { validator, ...rule })) {
    await db.command({ collMod: name, validator, ...rule }, options);
  } else if (validator === undefined && 'options' in existing && existing.options?.validator !== undefined) {
    await db.command({ collMod: name, validator: {} }, options);
  }
  await applyIndexes(db.collection(name), declared.indexes ?? [], signal);
}

async function applyIndexes(collection: Collection, declared: readonly IndexDeclaration[], signal?: AbortSignal) {
  if (declared.length === 0) return;
  const listed = await orAbort(builtIndexes(collection), signal);
  const existing = new Map(listed.map((each) => [each.name, each]));
  const missing: IndexDescription[] = [];
  for (const index of declared) {
    const present = existing.get(index.name);
    const difference = present === undefined ? 'absent' : compareIndex(index, present);
    if (difference === 'none') continue;
    if (difference === 'expiry') {
      const { name, expireAfterSeconds } = index;
      const command = { collMod: collection.collectionName, index: { name, expireAfterSeconds } };
      await orAbort(collection.db.command(command), signal);
      continue;
    }
    if (difference === 'definition') await orAbort(collection.dropIndex(index.name), signal);
    missing.push(index);
  }
  if (missing.length > 0) await orAbort(collection.createIndexes(missing), signal);
}

// The server also lists indexes that it is still building. They count as missing here, since creating such an index
// again waits for its build.
async function builtIndexes(collection: Collection) {
  const command = { listIndexes: collection.collectionName, includeBuildUUIDs: true, cursor: { batchSize: 1000 } };
  const { cursor } = await collection.db.command(command);
  return (cursor.firstBatch as Document[]).filter((each) => each.buildUUID === undefined) as IndexDescriptionInfo[];
}

function sameRule(existing: Document, rule: Document) {
  const { validator, validationLevel = 'strict', validationAction = 'error' } = (existing.options ?? {}) as Document;
  return (
    BSON.EJSON.stringify({ validator, validationLevel, validationAction }) ===
    BSON.EJSON.stringify(rule, { relaxed: true })
  );
}

// Error codes of a race with another replica: NamespaceNotFound, IndexNotFound, NamespaceExists, IndexOptionsConflict,
// IndexKeySpecsConflict, ConflictingOperationInProgress, IndexBuildAborted, BackgroundOperationInProgressForNamespace.
const raceCodes: ReadonlySet<unknown> = new Set([26, 27, 48, 85, 86, 117, 276, 12587]);

function isRace(error: unknown) {
  return error instanceof Error && raceCodes.has((error as { code?: unknown }).code);
}

const compared = ['unique', 'sparse', 'partialFilterExpression'] as const;

/** A declared index. Its definition may change, but its name never does. */
export interface IndexDeclaration extends Pick<IndexDescription, (typeof compared)[number] | 'expireAfterSeconds'> {
  name: string;
  key: Record<string, 1 | -1>;
}

/** The difference between a declared index and the existing index of the same name. */
type IndexDifference = 'none' | 'expiry' | 'definition';

function compareIndex(declared: IndexDeclaration, existing: IndexDescriptionInfo): IndexDifference {
  if (shapeOf(declared) !== shapeOf(existing)) return 'definition';
  const { expireAfterSeconds: wanted } = declared;
  const present = existing.expireAfterSeconds;
  if (wanted === present) return 'none';
  // collMod can change a time to live, but it cannot add or remove one.
  return wanted === undefined || present === undefined ? 'definition' : 'expiry';
}

/** What makes another index of it, beside a time to live. An option that is false may be left out. */
function shapeOf(index: IndexDeclaration | IndexDescriptionInfo) {
  return BSON.EJSON.stringify([Object.entries(index.key), ...compared.map((name) => index[name] || null)]);
}

/**
 * Records whose database this is, in the collection `migrations`. The first service that starts with it owns it.
 *
 * @throws ConfigError if it is the database of another service.
 */
async function requireOwner(db: Db, service: string) {
  const marks = db.collection<{ _id: string; service: string }>('migrations');
  await marks.insertOne({ _id: 'owner', service }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  const owner = (await marks.findOne({ _id: 'owner' }))?.service;
  if (owner === service) return;
  throw new ConfigError([
    `MONGODB_DATABASE is ${db.databaseName}, the database of ${owner}; expected one of ${service} alone.`,
  ]);
}

/** Applies a schema in the background while the service already listens. */
export interface Migration {
  /**
   * Fails until the schema is applied, so that the service is not ready before. `serveGrpc` uses it as
   * a health check.
   */
  readonly check: HealthCheck;
  /** Resolves when the schema is applied. Never settles if `close` is called before. */
  readonly done: Promise<void>;
  /** Rejects if the database is that of another service. Else it never settles. */
  readonly refused: Promise<never>;
  close(): Promise<void>;
}

const pauseMs = 10_000;

/**
 * Runs data migrations and applies a schema in the background, so that a service may start before its database. During
 * an outage it waits. It logs other failures, such as duplicates under a unique index, and tries again every 10 s.
 */
export function startMigration(
  db: Db,
  collections: readonly CollectionDeclaration[],
  log: Logger,
  migrations: readonly DataMigration[] = [],
  owner?: string,
): Migration {
  const controller = new AbortController();
  const { signal } = controller;
  let failure: unknown = new Error('The schema is not applied yet.');
  let applied = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    applied = resolve;
  });
  let refuse = (_fault: ConfigError): void => undefined;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  refused.catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await applySchema(db, collections, { signal, log, owner, migrations });
        failure = undefined;
        applied();
        return;
      } catch (error) {
        if (signal.aborted) return;
        failure = error;
        if (error instanceof ConfigError) return refuse(error);
        log.error({ err: error }, 'the schema cannot be applied; trying again');
        await pause(pauseMs, signal);
      }
    }
  };
  const running = run();
  return {
    check: { name: 'schema', check: () => (failure === undefined ? Promise.resolve() : Promise.reject(failure)) },
    done,
    refused,
    close: () => {
      controller.abort();
      return running;
    },
  };
}
