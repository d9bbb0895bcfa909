export { type AbortableOptions, abortable } from './abortable.js';
export { connectMongo, type Mongo, type MongoOptions, majorityWrites } from './connect.js';
export type { DataMigration } from './data-migrations.js';
export { isDuplicateKey } from './duplicate-key.js';
export type { IndexDeclaration } from './index-shape.js';
export { type Migration, startMigration } from './migration.js';
export { orAbort } from './or-abort.js';
export { type ApplyOptions, applySchema, type CollectionDeclaration } from './schema.js';
export { type TransactionScope, withTransaction } from './transaction.js';
