import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import { date, dateOrNull, revision, site } from './schema-types.js';

/** The collections of prompts and sites. Parallel changes write the same document of the site. */
export const promptsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'prompts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['site', 'question', 'state', 'opensAt', 'closesAt', 'openedAt', 'createdAt', 'revision', 'history'],
        properties: {
          _id: { bsonType: 'string' },
          site,
          question: { bsonType: 'string', minLength: 10 },
          state: { enum: ['scheduled', 'active', 'closed'] },
          opensAt: dateOrNull,
          closesAt: dateOrNull,
          openedAt: dateOrNull,
          dueAt: dateOrNull,
          createdAt: date,
          revision,
          history: historySchema,
        },
      },
    },
    indexes: [
      { name: 'site_state', key: { site: 1, state: 1 } },
      { name: 'public', key: { site: 1, openedAt: -1, _id: -1 } },
      { name: 'newest', key: { createdAt: -1, _id: -1 } },
      { name: 'due', key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $type: 'date' } } },
      logIndex,
    ],
  },
  { name: 'sites' },
];
