import type { Db } from 'mongodb';
import { isOutage } from '../errors/outage.js';
import type { Logger } from '../log/logger.js';
import { holdMigrationLock } from './migration-lock.js';

/** A change of stored data that the declared schema cannot express, made once in each database. */
export interface DataMigration {
  /** A number of four digits and what it does, e.g. `0001-camel-case-fields`; it keeps this name for ever. */
  readonly name: string;
  /**
   * Changes the data, before validators and indexes are brought to what is declared; so it writes with
   * `bypassDocumentValidation`. It may be stopped anywhere and begun again, so it must pass over what it has done.
   */
  run(db: Db, signal: AbortSignal): Promise<void>;
}

/** `migrations`: the record of one that is done. */
interface MigrationDocument {
  /** Its name. */
  _id: string;
  startedAt: Date;
  finishedAt: Date;
  milliseconds: number;
}

/**
 * Runs the migrations that this database has not had, in their order. With many replicas at once one runs them, under a
 * lock, and the others wait for it.
 *
 * @throws what a migration throws, with its name; it is not recorded, so the next start runs it again.
 */
export async function runDataMigrations(
  db: Db,
  migrations: readonly DataMigration[],
  { signal, log }: { signal?: AbortSignal | undefined; log?: Logger | undefined },
): Promise<void> {
  requireOrder(migrations);
  const remaining = async (): Promise<readonly DataMigration[]> => {
    const done = await recordsOf(db)
      .find({}, { projection: { _id: 1 } })
      .toArray();
    return migrations.filter(({ name }) => !done.some(({ _id }) => _id === name));
  };
  if (migrations.length === 0 || (await remaining()).length === 0) return;
  await holdMigrationLock(db, signal, async (held) => {
    // Another replica may have run them while this one waited.
    for (const migration of await remaining()) await runOne(db, migration, held, log);
  });
}

async function runOne(db: Db, { name, run }: DataMigration, signal: AbortSignal, log?: Logger): Promise<void> {
  const startedAt = new Date();
  const begun = performance.now();
  try {
    await run(db, signal);
  } catch (error) {
    if (isOutage(error)) throw error;
    throw new Error(`The data migration ${name} failed; the service does not start before it succeeds.`, {
      cause: error,
    });
  }
  signal.throwIfAborted();
  const milliseconds = Math.round(performance.now() - begun);
  await recordsOf(db).insertOne({ _id: name, startedAt, finishedAt: new Date(), milliseconds });
  log?.info({ migration: name, milliseconds }, 'a data migration is done');
}

function recordsOf(db: Db) {
  return db.collection<MigrationDocument>('migrations');
}

// A number that is used twice, or a gap, is two branches that met.
function requireOrder(migrations: readonly DataMigration[]): void {
  for (const [at, { name }] of migrations.entries()) {
    const number = String(at + 1).padStart(4, '0');
    if (!name.startsWith(`${number}-`)) throw new TypeError(`The data migration ${name} must begin with ${number}-.`);
  }
}
