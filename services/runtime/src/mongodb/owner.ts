import type { Db } from 'mongodb';
import { ConfigError } from '../config/config-error.js';
import { isDuplicateKey } from './duplicate-key.js';

/**
 * Records whose database this is, in the collection `migrations`. The first service that starts with it owns it.
 *
 * @throws ConfigError if it is the database of another service.
 */
export async function requireOwner(db: Db, service: string): Promise<void> {
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
