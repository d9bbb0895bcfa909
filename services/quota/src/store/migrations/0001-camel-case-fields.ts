import type { DataMigration } from '@knowledge/runtime/mongodb';
import { leasesName } from '../lease-document.js';
import { talliesName } from '../tally-document.js';

/** Renames `expires_at` to `expiresAt`. The code before it cannot write such documents: it must not run at the same time. */
export const camelCaseFields: DataMigration = {
  name: '0001-camel-case-fields',
  async run(db, signal) {
    for (const collection of [leasesName, talliesName]) {
      signal.throwIfAborted();
      const renaming = { $rename: { expires_at: 'expiresAt' } };
      // The old validators are still in force.
      await db
        .collection(collection)
        .updateMany({ expires_at: { $exists: true } }, renaming, { bypassDocumentValidation: true });
    }
  },
};
