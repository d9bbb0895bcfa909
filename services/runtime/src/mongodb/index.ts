export { translateOutage as translateMongoError } from '../errors/outage.js';
export { connectMongo, type Mongo, type MongoOptions, majorityWrites } from './connect.js';
export type { IndexDeclaration } from './index-shape.js';
export { type Migration, startMigration } from './migration.js';
export { type ApplyOptions, applySchema, type CollectionDeclaration } from './schema.js';
export { type TransactionScope, withTransaction } from './transaction.js';
