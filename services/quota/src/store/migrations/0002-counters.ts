import { type DataMigration, dropIndex, renameCollection } from '@knowledge/runtime/mongodb';

/** Renames `tallies` to `counters`, and drops the indexes of the field that the first migration renamed. */
export const counters: DataMigration = {
  name: '0002-counters',
  async run(db) {
    await renameCollection(db, 'tallies', 'counters');
    for (const collection of ['counters', 'leases']) await dropIndex(db, collection, 'expires_at');
  },
};
