import {
  BSON,
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
  type IndexDescriptionInfo,
} from 'mongodb';

import { isOutage } from '../errors/outage.js';
import type { Logger } from '../log/logger.js';
import { type DataMigration, runDataMigrations } from './data-migrations.js';
import { compareIndex, type IndexDeclaration } from './index-shape.js';
import { orAbort } from './or-abort.js';
import { pause } from './pause.js';

/** A collection as the code declares it. */
export interface CollectionDeclaration {
  name: string;
  /** The rule for every document: a `$jsonSchema` or another filter. A write that breaks it fails (code 121). */
  validator?: Document;
  indexes?: readonly IndexDeclaration[];
}

export interface ApplyOptions {
  /** Ends the attempts. Until then an outage or a race with another replica is tried again. */
  signal?: AbortSignal | undefined;
  log?: Logger | undefined;
  /** Data migrations to run first, in their order. */
  migrations?: readonly DataMigration[] | undefined;
}

/**
 * Runs the data migrations, then updates collections, validators and indexes to match the declaration. Many replicas
 * may run it at once, and it may be repeated. A changed time to live is modified in place, a changed index is dropped
 * and created. Collections and indexes that are not declared stay (SECURITY.md#database).
 *
 * @throws what cannot heal by itself, e.g. duplicates under a new unique index, or the signal's reason.
 */
export async function applySchema(
  db: Db,
  collections: readonly CollectionDeclaration[],
  { signal, log, migrations = [] }: ApplyOptions = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
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

async function applyCollection(db: Db, declared: CollectionDeclaration, signal?: AbortSignal): Promise<void> {
  const { name, validator } = declared;
  const options = { ...(signal && { signal }) };
  const [existing] = await db.listCollections({ name }, options).toArray();
  const rule = { validationLevel: 'strict', validationAction: 'error' } as const;
  if (existing === undefined) {
    // createCollection would send a signal to the server as a field.
    await orAbort(db.createCollection(name, { ...(validator && { validator, ...rule }) }), signal);
  } else if (validator !== undefined && !sameRule(existing, { validator, ...rule })) {
    await db.command({ collMod: name, validator, ...rule }, options);
  } else if (validator === undefined && 'options' in existing && existing.options?.validator !== undefined) {
    await db.command({ collMod: name, validator: {} }, options);
  }
  await applyIndexes(db.collection(name), declared.indexes ?? [], signal);
}

async function applyIndexes(
  collection: Collection,
  declared: readonly IndexDeclaration[],
  signal?: AbortSignal,
): Promise<void> {
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

// The server lists an index while it still builds it. Such an index counts as missing here: creating it again waits for
// the build.
async function builtIndexes(collection: Collection): Promise<IndexDescriptionInfo[]> {
  const command = { listIndexes: collection.collectionName, includeBuildUUIDs: true, cursor: { batchSize: 1000 } };
  const { cursor } = await collection.db.command(command);
  return (cursor.firstBatch as Document[]).filter((each) => each.buildUUID === undefined) as IndexDescriptionInfo[];
}

function sameRule(existing: Document, rule: Document): boolean {
  const { validator, validationLevel = 'strict', validationAction = 'error' } = (existing.options ?? {}) as Document;
  return (
    BSON.EJSON.stringify({ validator, validationLevel, validationAction }) ===
    BSON.EJSON.stringify(rule, { relaxed: true })
  );
}

// Another replica changed the same thing: NamespaceNotFound, IndexNotFound, NamespaceExists, IndexOptionsConflict,
// IndexKeySpecsConflict, ConflictingOperationInProgress, IndexBuildAborted, BackgroundOperationInProgressForNamespace.
const raceCodes: ReadonlySet<unknown> = new Set([26, 27, 48, 85, 86, 117, 276, 12587]);

function isRace(error: unknown): boolean {
  return error instanceof Error && raceCodes.has((error as { code?: unknown }).code);
}
