import { MongoClient } from 'mongodb';
import { createLogger } from '../log/logger.js';
import { connectMongo, type Mongo } from '../mongodb/connect.js';
import { endOldTransactions } from '../mongodb/transaction.js';

/**
 * Opens a new database on the MongoDB server of the tests (`MONGODB_TEST_URI`, see test/harness), with the connection
 * options of production. `close` drops the database.
 */
export function openTestDatabase(name = 'test'): Mongo {
  const uri = testUri();
  const unique = `${name}_${process.pid}_${Date.now().toString(36)}_${Math.floor(Math.random() * 1e6).toString(36)}`;
  const mongo = connectMongo({ uri, database: unique, appName: name, log: createLogger({ name, level: 'silent' }) });
  return {
    ...mongo,
    close: async () => {
      await mongo.close();
      await dropDatabases([unique]);
    },
  };
}

/** Drops databases. It waits as long as a busy server needs, unlike a connection with the options of production. */
export async function dropDatabases(names: readonly string[], uri = testUri()): Promise<void> {
  const client = new MongoClient(uri);
  // Transactions of killed processes would block this for a minute.
  const ending = setInterval(() => endOldTransactions(client, { type: 'idleSession' }).catch(() => undefined), 500);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    clearInterval(ending);
    await client.close();
  }
}

function testUri(): string {
  const uri = process.env.MONGODB_TEST_URI;
  if (uri === undefined) throw new Error('MONGODB_TEST_URI is not set; run the tests with vitest from the root.');
  return uri;
}
