import { applySchema } from '@knowledge/runtime/mongodb';
import { connectAgain, openTestDatabase } from '@knowledge/runtime/testing';
import type { CommandStartedEvent, Db, Document } from 'mongodb';
import { decideArchive, decidePut } from '../articles/decisions.js';
import { checkArticlePut } from '../articles/domain.js';
import { type ArticleReads, createArticleReads } from '../articles/store-reads.js';
import { type ArticleWrites, createArticleWrites } from '../articles/store-writes.js';
import type { ChangeLog } from '../changes/log.js';
import { type ChangeDocument, countsId, createChangeLog, createWriter } from '../changes/store.js';
import { collectionsOf, textsSchema } from '../collections.js';
import { articlePut } from './put.js';

/** The stores with their own database, without a running service. */
export interface OpenStores {
  readonly changes: ChangeLog;
  readonly reads: ArticleReads;
  readonly writes: ArticleWrites;
  /** Publishes an article on org with a new title each time. Resolves when the write is acknowledged. */
  publish(slug: string, tags?: string[]): Promise<void>;
  archive(slug: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stores on a new database and applies the schema. */
export async function openStores(name: string): Promise<OpenStores> {
  const { client, db, close } = openTestDatabase(name);
  await applySchema(db, textsSchema);
  const collections = collectionsOf(db);
  const writes = createArticleWrites(createWriter(client, collections), collections);
  const call = new AbortController();
  let count = 0;
  const act = () => ({ actor: 'test', at: new Date(), reason: '' });
  return {
    changes: createChangeLog(collections),
    reads: createArticleReads(collections),
    writes,
    async publish(slug, tags = ['t']) {
      count += 1;
      const request = articlePut({ slug, title: `Title ${count}`, tags, publish: true });
      const put = checkArticlePut({ ...request, site: 'org' });
      await writes.change(put, (before) => decidePut(before, put, act()), call);
    },
    async archive(slug) {
      await writes.change({ site: 'org', slug }, (before) => decideArchive(before, 0, act()), call);
    },
    close,
  };
}

/** A test database that shows how MongoDB executed the queries of the code. */
export interface ExplainedDatabase {
  readonly db: Db;
  /** Runs `query`. Returns the numbers of keys and documents that the server read for each find and aggregate. */
  explain(query: () => Promise<unknown>): Promise<Explained[]>;
  close(): Promise<void>;
}

/** The numbers of keys and documents that MongoDB read for a query. */
interface Explained {
  readonly keysExamined: number;
  readonly docsExamined: number;
}

/** Opens a test database and records its commands. */
export function openExplainedDatabase(name: string): ExplainedDatabase {
  const plain = openTestDatabase(name);
  const { client, db } = connectAgain(plain.db, { tuning: { monitorCommands: true } });
  return {
    db,
    async explain(query) {
      const commands: Document[] = [];
      const listen = ({ command, commandName }: CommandStartedEvent): void => {
        if (commandName === 'find' || commandName === 'aggregate') commands.push(command);
      };
      client.on('commandStarted', listen);
      await query();
      client.off('commandStarted', listen);
      return Promise.all(commands.map((command) => explainOne(plain.db, command)));
    },
    async close() {
      await client.close();
      await plain.close();
    },
  };
}

async function explainOne(db: Db, command: Document): Promise<Explained> {
  const { lsid: _, $db: __, $clusterTime: ___, txnNumber: ____, ...rest } = command;
  const plan = await db.command({ explain: rest, verbosity: 'executionStats' });
  const stats = findStats(plan);
  return { keysExamined: stats.totalKeysExamined, docsExamined: stats.totalDocsExamined };
}

function findStats(plan: Document): { totalKeysExamined: number; totalDocsExamined: number } {
  const stats = plan.executionStats ?? plan.stages?.[0]?.$cursor?.executionStats;
  if (stats === undefined) throw new Error('The plan has no statistics.');
  return stats;
}

/** The stored change log alone: no articles belong to its changes. */
export interface StoredLog extends ChangeLog {
  /** Adds changes at the end in one transaction. An `_id` beyond the next position leaves a hole. */
  commit(...changes: Partial<ChangeDocument>[]): Promise<void>;
  /** Removes every change after a position, as a restored backup would. */
  cut(position: number): Promise<void>;
  /** Removes the database. */
  remove(): Promise<void>;
}

/** Opens an empty log in a new database. */
export function openStoredLog(name: string): StoredLog {
  const { client, db, close } = openTestDatabase(name);
  const { changes, counts } = collectionsOf(db);
  const log = createChangeLog({ changes, counts });
  return {
    ...log,
    async commit(...parts) {
      const head = await log.head(new AbortController().signal);
      const added = parts.map((part, index) => documentAt(head + 1 + index, part));
      const end = { $set: { position: added.at(-1)?._id ?? head } };
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await changes.insertMany(added, { session });
          await counts.updateOne({ _id: countsId }, end, { session, upsert: true });
        }),
      );
    },
    async cut(position) {
      await changes.deleteMany({ _id: { $gt: position } });
      await counts.updateOne({ _id: countsId }, { $set: { position } }, { upsert: true });
    },
    remove: close,
  };
}

function documentAt(position: number, part: Partial<ChangeDocument>): ChangeDocument {
  const transition = { from: '', to: 'published', actor: 'ann', at: new Date(position), reason: '', revision: 1 };
  return { _id: position, subject: 'article', site: 'org', key: `a${position}`, tags: [], transition, ...part };
}
