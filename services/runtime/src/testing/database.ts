import { createLogger } from '../log/logger.js';
import { connectMongo, type Mongo } from '../mongodb/connect.js';

/**
 * Opens a new database on the MongoDB server of the tests (`MONGODB_TEST_URI`, see test/harness), with the connection
 * options of production. `close` drops the database.
 */
export function openTestDatabase(name = 'test'): Mongo {
  const uri = process.env.MONGODB_TEST_URI;
  if (uri === undefined) throw new Error('MONGODB_TEST_URI is not set; run the tests with vitest from the root.');
  const unique = `${name}_${process.pid}_${Date.now().toString(36)}_${Math.floor(Math.random() * 1e6).toString(36)}`;
  const mongo = connectMongo({ uri, database: unique, appName: name, log: createLogger({ name, level: 'silent' }) });
  return {
    ...mongo,
    close: async () => {
      await mongo.db.dropDatabase();
      await mongo.close();
    },
  };
}
