import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { date, exactly, hash, purgeIndex, text, uuid } from './schema-parts.js';

/** Keys of humans' own pages; shard key: hashed `_id`. */
export const accessKeysSchema: CollectionDeclaration = {
  name: 'access_keys',
  validator: { $jsonSchema: exactly({ _id: uuid, email: text, hash, createdAt: date, purgeAt: date }) },
  indexes: [{ name: 'email', key: { email: 1 } }, purgeIndex],
};
