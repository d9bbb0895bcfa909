import { type DataMigration, dropIndex, renameCollection } from '@knowledge/runtime/mongodb';

/** Renames the collection `slots` to `idempotency_slots`, and drops indexes that another one replaced. */
export const idempotencySlots: DataMigration = {
  name: '0001-idempotency-slots',
  async run(db) {
    await renameCollection(db, 'slots', 'idempotency_slots');
    for (const collection of ['contributions', 'prompts']) await dropIndex(db, collection, 'log_pending');
  },
};
