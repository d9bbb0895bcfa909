export { connectMongo, type Mongo, type MongoOptions, majorityWrites } from './connect.js';
export type { DataMigration } from './data-migrations.js';
export { type Migration, startMigration } from './migration.js';
export { openMongoClient } from './open-client.js';
export { type AbortableOptions, abortable, afterPosition, isDuplicateKey } from './operation.js';
export { type ApplyOptions, applySchema, type CollectionDeclaration, type IndexDeclaration } from './schema.js';
export { pastOrphans, type TransactionScope, withTransaction } from './transaction.js';
