import { MongoClient } from 'mongodb';
import type { System } from './system.js';

/** Counts the turns of leases that are open. */
export async function openLeases({ mongodbUri, databases }: System): Promise<number> {
  const client = new MongoClient(mongodbUri);
  try {
    return await client.db(databases.quota).collection('counters').countDocuments({ open: true });
  } finally {
    await client.close();
  }
}
