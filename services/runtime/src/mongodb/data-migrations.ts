import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { isOutage } from '../errors/knowledge-error.js';
import { pause } from '../lifecycle/promises.js';
import type { Logger } from '../log/logger.js';
import { isDuplicateKey } from './operation.js';

/** A change to stored data that the declared schema cannot express. It runs once in each database. */
export interface DataMigration {
  /** Four digits and a description, e.g. `0001-camel-case-fields`. A name never changes. */
  readonly name: string;
  /**
   * Changes the data before validators and indexes are updated, so it must write with `bypassDocumentValidation`. It
   * may be interrupted and run again, so it must skip finished work.
   */
  run(db: Db, signal: AbortSignal): Promise<void>;
}

/** Records a finished migration in the collection `migrations`. */
interface MigrationDocument {
  /** The name of the migration. */
  _id: string;
  startedAt: Date;
  finishedAt: Date;
  milliseconds: number;
}

/**
 * Runs the migrations that this database has not had, in order. One of several replicas runs them under a lock, and the
 * others wait.
 *
 * @throws Error if a newer release has migrated the database, because this one may not understand its data.
 * @throws the error of a migration, with its name. A failed migration is not recorded, so the next start runs it again.
 */
export async function runDataMigrations(
  db: Db,
  migrations: readonly DataMigration[],
  { signal, log }: { signal?: AbortSignal | undefined; log?: Logger | undefined },
): Promise<void> {
  requireOrder(migrations);
  const remaining = async (): Promise<readonly DataMigration[]> => {
    const done = await namesDone(db, signal);
    requireKnown(done, migrations);
    return migrations.filter(({ name }) => !done.includes(name));
  };
  if ((await remaining()).length === 0) return;
  await withMigrationLock(db, signal, async (held) => {
    // While this replica waited for the lock, another one may have run the migrations.
    for (const migration of await remaining()) await runOne(db, migration, held, log);
  });
}

async function runOne(db: Db, { name, run }: DataMigration, signal: AbortSignal, log?: Logger) {
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

/** The names of the finished migrations, without the lock. */
async function namesDone(db: Db, signal: AbortSignal | undefined) {
  const records = await recordsOf(db)
    .find({ finishedAt: { $exists: true } }, { projection: { _id: 1 }, ...(signal && { signal }) })
    .toArray();
  return records.map(({ _id }) => _id);
}

function requireKnown(done: readonly string[], migrations: readonly DataMigration[]) {
  const unknown = done.filter((each) => !migrations.some(({ name }) => name === each)).sort();
  if (unknown.length === 0) return;
  throw new Error(
    `A newer release has changed this database (data migration ${unknown.join(', ')}). Start that release again, or restore a backup from before it.`,
  );
}

function recordsOf(db: Db) {
  return db.collection<MigrationDocument>('migrations');
}

// A duplicate number or a gap comes from merging two branches.
function requireOrder(migrations: readonly DataMigration[]) {
  for (const [at, { name }] of migrations.entries()) {
    const number = String(at + 1).padStart(4, '0');
    if (!name.startsWith(`${number}-`)) throw new TypeError(`The data migration ${name} must begin with ${number}-.`);
  }
}

/** The lock for migrations, stored in the collection `migrations`. It expires if its holder dies. */
interface LockDocument {
  _id: 'lock';
  holder: string;
  until: Date;
}

const heldMs = 6000;
const retryMs = 250;

/**
 * Runs `work` while holding the migration lock of the database. The signal aborts when the lock is lost. This can
 * happen when a process was suspended for 6 s; it must not run beside the next holder.
 */
async function withMigrationLock(db: Db, signal: AbortSignal | undefined, work: (held: AbortSignal) => Promise<void>) {
  const locks = db.collection<LockDocument>('migrations');
  const holder = randomUUID();
  // Uses the server's clock, since the clocks of the replicas may differ.
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: heldMs } };

  const free = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
  const change = { holder: { $cond: [free, holder, '$holder'] }, until: { $cond: [free, until, '$until'] } };

  const take = async () => {
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      return (await locks.findOneAndUpdate({ _id: 'lock' }, [{ $set: change }], options))?.holder === holder;
    } catch (error) {
      // Two replicas tried to create the lock document at the same time, and the other one succeeded.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  while (!(await take())) {
    await pause(retryMs, signal);
    signal?.throwIfAborted();
  }
  const lost = new AbortController();
  // An AbortError is treated as an outage, so the migration is tried again.
  const lose = () => lost.abort(new DOMException('The lock of the data migrations is lost.', 'AbortError'));
  const renew = async () => {
    const { matchedCount } = await locks.updateOne({ _id: 'lock', holder }, [{ $set: { until } }]);
    if (matchedCount === 0) lose();
  };
  const timer = setInterval(() => void renew().catch(lose), heldMs / 5);
  try {
    await work(AbortSignal.any([lost.signal, ...(signal === undefined ? [] : [signal])]));
  } finally {
    clearInterval(timer);
    // If the delete fails, the lock expires by itself.
    await locks.deleteOne({ _id: 'lock', holder }).catch(() => undefined);
  }
}
