import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { authorizationsSchema } from './schema-authorizations.js';
import { tokensSchema } from './schema-tokens.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [authorizationsSchema, tokensSchema];
