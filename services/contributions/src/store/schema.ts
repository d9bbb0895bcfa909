import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { contributionsSchema } from './schema-contributions.js';
import { promptsSchema } from './schema-prompts.js';

export const schema: readonly CollectionDeclaration[] = [...contributionsSchema, ...promptsSchema];
