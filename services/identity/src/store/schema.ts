import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { authorizationsSchema } from './schema-authorizations.js';
import { tokensSchema } from './schema-tokens.js';
import { transitionsSchema } from './schema-transitions.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [authorizationsSchema, transitionsSchema, tokensSchema];
