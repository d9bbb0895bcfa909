import { createLogger } from '@knowledge/runtime';
import { connectMongo } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import type { CommandStartedEvent, Db, Document } from 'mongodb';

/** A test database that shows how MongoDB executed the queries of the code. */
export interface ExplainedDatabase {
  readonly db: Db;
  /** Runs `query`. Returns the numbers of keys and documents that the server read for each find and aggregate. */
  explain(query: () => Promise<unknown>): Promise<Explained[]>;
  close(): Promise<void>;
}

/** The numbers of keys and documents that MongoDB read for a query. */
export interface Explained {
  readonly keysExamined: number;
  readonly docsExamined: number;
}

/** Opens a test database and records its commands. */
export function openExplainedDatabase(name: string): ExplainedDatabase {
  const plain = openTestDatabase(name);
  const uri = process.env.MONGODB_TEST_URI ?? '';
  const log = createLogger({ name, level: 'silent' });
  const database = plain.db.databaseName;
  const { client, db } = connectMongo({ uri, database, appName: name, log, tuning: { monitorCommands: true } });
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
