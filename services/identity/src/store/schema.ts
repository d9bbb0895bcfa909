import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { authorizationsSchema } from './schema-authorizations.js';
import { accessKeysSchema, askersSchema, blocksSchema } from './schema-people.js';
import { tokensSchema } from './schema-tokens.js';
import { transitionsSchema } from './schema-transitions.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [
  accessKeysSchema,
  askersSchema,
  blocksSchema,
  authorizationsSchema,
  transitionsSchema,
  tokensSchema,
];
