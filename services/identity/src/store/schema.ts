import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { accessKeysSchema } from './schema-access-keys.js';
import { authorizationsSchema } from './schema-authorizations.js';
import { tokensSchema } from './schema-tokens.js';
import { transitionsSchema } from './schema-transitions.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [
  accessKeysSchema,
  authorizationsSchema,
  transitionsSchema,
  tokensSchema,
];
