import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { transitionsSchema } from '@knowledge/runtime/transition-log';
import { authorizationsSchema } from './schema-authorizations.js';
import { boolean, uuid } from './schema-parts.js';
import { accessKeysSchema, askersSchema, blocksSchema } from './schema-people.js';
import { tokensSchema } from './schema-tokens.js';

/** Every collection of the database, for the migration step. */
export const schema: readonly CollectionDeclaration[] = [
  accessKeysSchema,
  askersSchema,
  blocksSchema,
  authorizationsSchema,
  transitionsSchema(['authorization', 'token', 'person'], { lineId: uuid, withdrawWaiting: boolean }),
  tokensSchema,
];
