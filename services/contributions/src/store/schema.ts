import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { promptsSchema } from './schema-prompts.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [...promptsSchema];
