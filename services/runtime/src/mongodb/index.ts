export { connectMongo, type Mongo, type MongoOptions, majorityWrites, openMongoClient } from './connect.js';
export type { DataMigration } from './data-migrations.js';
export {
  abortable,
  afterPosition,
  isDuplicateKey,
  listPage,
  pastOrphans,
  type TransactionScope,
  withTransaction,
} from './operation.js';
export {
  applySchema,
  type CollectionDeclaration,
  type IndexDeclaration,
  type Migration,
  startMigration,
} from './schema.js';
export {
  boolean,
  count,
  date,
  dateOrNull,
  endIndex,
  exactly,
  listOf,
  number,
  objectOf,
  requestIndex,
  text,
  timesIndex,
  whole,
} from './schema-parts.js';
