import { sites } from '@knowledge/runtime';
import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { articleProperties } from '../../store/article-fields.js';

/** The name of the index of scheduled drafts, which queries pass as a hint. */
export const dueIndex = 'due';

/** The name of the index of drafts that lost their time. */
export const missedIndex = 'missed';

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const whole = { bsonType: ['int', 'long'] };

/** The collection of the drafts of articles. It can be sharded as the articles are. */
export const articleDraftsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'article_drafts',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['site', 'slug', 'revision'],
        properties: {
          _id: text,
          site: { enum: [...sites] },
          slug: text,
          revision: whole,
          publishAt: time,
          missedAt: time,
          draft: {
            bsonType: 'object',
            required: ['title', 'body', 'baseRevision', 'authors', 'createdAt', 'updatedAt'],
            properties: {
              ...articleProperties,
              baseRevision: whole,
              authors: { bsonType: 'array', items: text },
              scheduledBy: text,
              scheduleReason: text,
              missedReason: text,
            },
          },
          lastEnd: {
            bsonType: 'object',
            required: ['to', 'actor', 'requestId'],
            properties: { to: { enum: ['published', 'discarded'] }, actor: text, requestId: text },
          },
        },
      },
    },
    indexes: [
      {
        name: dueIndex,
        key: { site: 1, publishAt: 1 },
        partialFilterExpression: { publishAt: { $exists: true } },
      },
      {
        name: missedIndex,
        key: { site: 1, missedAt: 1 },
        partialFilterExpression: { missedAt: { $exists: true } },
      },
    ],
  },
];
