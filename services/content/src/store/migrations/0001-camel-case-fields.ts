import type { DataMigration } from '@knowledge/runtime/mongodb';
import type { Document } from 'mongodb';

const newNames = {
  published_at: 'publishedAt',
  updated_at: 'updatedAt',
  created_at: 'createdAt',
  word_count: 'wordCount',
};

/**
 * Renames stored fields such as `published_at` to camelCase, the names of the domain. Older code cannot read the new
 * names, so it must be stopped first.
 */
export const camelCaseFields: DataMigration = {
  name: '0001-camel-case-fields',
  async run(db, signal) {
    for (const collection of ['articles', 'article_revisions', 'highlights', 'objects']) {
      signal.throwIfAborted();
      // Every document in these collections has `updated_at`. The old validators still apply, so the update bypasses
      // them.
      const options = { bypassDocumentValidation: true };
      await db.collection(collection).updateMany({ updated_at: { $exists: true } }, renaming, options);
    }
  },
};

const entries = Object.entries(newNames);
// Writes the body last (see `fromArticle`). Fields that a document does not have are left out.
const renaming: Document[] = [
  {
    $replaceWith: {
      $mergeObjects: [
        { $unsetField: { field: 'body', input: '$$ROOT' } },
        Object.fromEntries(entries.map(([old, renamed]) => [renamed, `$${old}`])),
        { body: '$body' },
      ],
    },
  },
  { $unset: entries.map(([old]) => old) },
];
