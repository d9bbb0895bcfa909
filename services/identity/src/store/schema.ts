import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { transitionsSchema } from '@knowledge/runtime/transition-log';
import { authorizationsSchema } from './schema-authorizations.js';
import { boolean, text, uuid } from './schema-parts.js';
import { accessKeysSchema, blocksSchema, requestersSchema } from './schema-people.js';
import { tokensSchema } from './schema-tokens.js';

export const schema: readonly CollectionDeclaration[] = [
  accessKeysSchema,
  requestersSchema,
  blocksSchema,
  authorizationsSchema,
  transitionsSchema(['authorization', 'token', 'person', 'session', 'mail_domain'], {
    rootAuthorizationId: uuid,
    withdrawWaiting: boolean,
    requestId: text,
  }),
  tokensSchema,
];
