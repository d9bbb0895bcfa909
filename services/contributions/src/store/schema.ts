import { sites } from '@knowledge/runtime';
import { failedMailsIndex } from '@knowledge/runtime/mail';
import {
  boolean,
  type CollectionDeclaration,
  count,
  date,
  dateOrNull,
  endIndex,
  number,
  objectOf,
  requestIndex,
  text,
  timesIndex,
} from '@knowledge/runtime/mongodb';
import { contributionStates, contributionTypes, inquiryPurposes, logSubjects } from '@knowledge/runtime/product';
import { historySchema, logIndex, transitionsSchema } from '@knowledge/runtime/transition-log';
import type { Contribution } from '../domain/contribution.js';
import { unsent } from '../domain/sent-fields.js';

/** Parts of `$jsonSchema` that several collections use. */
const stringOrNull = { bsonType: ['string', 'null'] };
const revision = { ...number, minimum: 1 };
const site = { enum: [...sites] };

/** The fields that came after the first release. */
const addedLater: readonly (keyof Contribution)[] = [];

/** What an agent sends is a text. What is more than a text has its own rule below. */
const sentTexts = Object.fromEntries(
  Object.entries(unsent).map(([name, none]) => [name, none === null ? stringOrNull : text]),
);

/** The collections of contributions with their outboxes, and of idempotency slots. */
export const contributionsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'contributions',
    validator: {
      $jsonSchema: objectOf(
        {
          _id: text,
          type: { enum: [...contributionTypes] },
          site,
          state: { enum: [...contributionStates] },
          ...sentTexts,
          prompt: { bsonType: ['object', 'null'], properties: { id: text, question: text } },
          purpose: { enum: [...Object.keys(inquiryPurposes), null] },
          about: {
            bsonType: ['object', 'null'],
            properties: { site, kind: { enum: ['article', 'object'] }, id: text, title: text },
          },
          email: text,
          mailbox: text,
          tokenId: text,
          agentName: text,
          authorizationId: text,
          textHash: text,
          duplicateOf: { bsonType: ['object', 'null'], properties: { id: text, own: boolean } },
          note: text,
          submittedAt: date,
          updatedAt: date,
          reviewedAt: dateOrNull,
          reason: text,
          answer: text,
          publishedAt: dateOrNull,
          revision,
          catalogRevision: count,
          history: historySchema,
          textChanges: { bsonType: 'array' },
          publication: {
            bsonType: ['object', 'null'],
            required: ['action', 'revision', 'reason', 'attempts', 'dueAt'],
            properties: { action: { enum: ['publish', 'retract'] }, revision, dueAt: dateOrNull },
          },
          held: {
            bsonType: ['object', 'null'],
            required: ['command', 'actor', 'at', 'reason', 'takesEffectAt'],
            properties: { command: { bsonType: 'object' }, actor: text, at: date, reason: text, takesEffectAt: date },
          },
          proposal: { bsonType: ['object', 'null'], required: ['text', 'actor', 'at', 'reason', 'revision'] },
          looks: { bsonType: 'array' },
          agentEnd: {
            bsonType: ['object', 'null'],
            required: ['actor', 'reason', 'dueAt'],
            properties: { actor: text, reason: text, dueAt: dateOrNull },
          },
          mails: { bsonType: 'array' },
          mailsDueAt: dateOrNull,
          risk: { bsonType: 'number', minimum: 0, maximum: 100 },
          findings: {
            bsonType: 'array',
            items: objectOf({ check: text, weight: number, text }),
          },
          terms: { bsonType: 'array' },
          bands: { bsonType: 'array' },
          waves: { bsonType: 'array' },
          logSince: date,
          erased: { enum: [true] },
          notes: count,
        },
        [...addedLater, 'risk', 'findings', 'terms', 'bands', 'waves', 'logSince', 'erased', 'notes'],
      ),
    },
    indexes: [
      { name: 'own', key: { email: 1, submittedAt: -1, _id: -1 } },
      { name: 'own_by_state', key: { email: 1, state: 1, submittedAt: -1, _id: -1 } },
      { name: 'authorization', key: { authorizationId: 1, submittedAt: -1, _id: -1 } },
      { name: 'equal_text', key: { email: 1, textHash: 1 } },
      { name: 'mailbox', key: { mailbox: 1, submittedAt: -1, _id: -1 } },
      { name: 'mailbox_text', key: { mailbox: 1, textHash: 1 } },
      requestIndex,
      { name: 'oldest', key: { submittedAt: 1, _id: 1 } },
      { name: 'oldest_by_state', key: { state: 1, submittedAt: 1, _id: 1 } },
      // A list gives every state, type and site, so the server merges sorted ranges, and counts without documents.
      { name: 'queue_by_age', key: { state: 1, type: 1, site: 1, submittedAt: 1, _id: 1 } },
      { name: 'queue_by_risk', key: { state: 1, type: 1, site: 1, risk: -1, submittedAt: 1, _id: 1 } },
      { name: 'terms', key: { terms: 1 } },
      { name: 'bands', key: { bands: 1 } },
      { name: 'waves', key: { waves: 1, submittedAt: -1, email: 1 } },
      timesIndex('publication_due', 'publication.dueAt'),
      {
        name: 'changes_requested',
        key: { updatedAt: 1 },
        partialFilterExpression: { state: 'changes_requested' },
      },
      { name: 'withdrawn', key: { updatedAt: 1 }, partialFilterExpression: { state: 'withdrawn' } },
      timesIndex('held_due', 'held.takesEffectAt'),
      timesIndex('agent_end_due', 'agentEnd.dueAt'),
      timesIndex('mails_due', 'mailsDueAt'),
      failedMailsIndex,
      logIndex,
      { name: 'erased', key: { erased: 1 }, partialFilterExpression: { erased: true } },
    ],
  },
  {
    name: 'idempotency_slots',
    validator: {
      $jsonSchema: objectOf({
        email: text,
        contributionId: text,
        payloadHash: text,
        takenAt: date,
        expiresAt: date,
        deleteAt: date,
      }),
    },
    indexes: [{ name: 'email', key: { email: 1 } }, endIndex('cleanup', 'deleteAt')],
  },
  {
    name: 'authorizations',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        properties: { _id: text, email: text, contributions: count, endedAt: date, endedBy: text },
      },
    },
    indexes: [{ name: 'email', key: { email: 1 } }],
  },
  {
    name: 'people',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        properties: { _id: text, eachReceipt: boolean, joined: { bsonType: 'object' } },
      },
    },
  },
  { name: 'followers' },
  transitionsSchema(logSubjects.contributions, { site, requestId: text, decision: text }),
];
