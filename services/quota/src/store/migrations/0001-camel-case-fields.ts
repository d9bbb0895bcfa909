import type { DataMigration } from '@knowledge/runtime/mongodb';
import { countersName } from '../counter-document.js';
import { leasesName } from '../lease-document.js';

/** Renames `expires_at` to `expiresAt`. Older code cannot write such documents, so it must be stopped first. */
export const camelCaseFields: DataMigration = {
  name: '0001-camel-case-fields',
  async run(db, signal) {
    for (const collection of [leasesName, countersName]) {
      signal.throwIfAborted();
      const renaming = { $rename: { expires_at: 'expiresAt' } };
      // The old validators still apply, so the update bypasses them.
      await db
        .collection(collection)
        .updateMany({ expires_at: { $exists: true } }, renaming, { bypassDocumentValidation: true });
    }
  },
};
