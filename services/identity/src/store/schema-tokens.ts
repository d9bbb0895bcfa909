import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import { date, exactly, hash, optionalDate, purgeIndex, scopeList, text, uuid } from './schema-parts.js';

/** The collection of tokens, by hash. The shard key is the hashed `_id`. */
export const tokensSchema: CollectionDeclaration = {
  name: 'tokens',
  validator: {
    $jsonSchema: exactly(
      {
        _id: hash,
        id: uuid,
        authorizationId: uuid,
        rootAuthorizationId: uuid,
        email: text,
        agentName: text,
        scopes: scopeList,
        state: { enum: ['active', 'revoked', 'renewed', 'expired', 'erased'] },
        createdAt: date,
        expiresAt: date,
        lastUsedAt: optionalDate,
        revokedAt: optionalDate,
        history: historySchema,
        purgeAt: date,
        logSince: date,
      },
      ['logSince'],
    ),
  },
  indexes: [
    { name: 'id', key: { id: 1 } },
    { name: 'email', key: { email: 1, createdAt: -1, id: -1 } },
    { name: 'expiry', key: { expiresAt: 1 }, partialFilterExpression: { state: 'active' } },
    purgeIndex,
    logIndex,
  ],
};
