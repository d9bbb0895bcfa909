import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { contributionsSchema } from './schema-contributions.js';
import { promptsSchema } from './schema-prompts.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [...contributionsSchema, ...promptsSchema];
