import type { DataMigration } from '@knowledge/runtime/mongodb';
import type { Document } from 'mongodb';

const newNames = {
  published_at: 'publishedAt',
  updated_at: 'updatedAt',
  created_at: 'createdAt',
  word_count: 'wordCount',
};

/**
 * Renames stored fields such as `published_at` to camelCase, as the domain has them. Older code cannot read the new names: stop
 * it before this runs.
 */
export const camelCaseFields: DataMigration = {
  name: '0001-camel-case-fields',
  async run(db, signal) {
    for (const collection of ['articles', 'article_revisions', 'highlights', 'objects']) {
      signal.throwIfAborted();
      // Every document here has `updated_at`. The old validators still apply.
      const options = { bypassDocumentValidation: true };
      await db.collection(collection).updateMany({ updated_at: { $exists: true } }, renaming, options);
    }
  },
};

const entries = Object.entries(newNames);
// The body stays last (see `fromArticle`). Fields that a document lacks are left out.
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
