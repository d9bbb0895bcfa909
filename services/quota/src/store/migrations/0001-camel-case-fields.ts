import { type DataMigration, renameField } from '@knowledge/runtime/mongodb';

/** Renames `expires_at` to `expiresAt`. */
export const camelCaseFields: DataMigration = {
  name: '0001-camel-case-fields',
  async run(db, signal) {
    for (const collection of ['leases', 'tallies']) {
      signal.throwIfAborted();
      await renameField(db, collection, 'expires_at', 'expiresAt');
    }
  },
};
