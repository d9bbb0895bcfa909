import type { IndexDeclaration } from '@knowledge/runtime/mongodb';
import { scopes } from '@knowledge/runtime/product';

/** Parts of `$jsonSchema` that several collections use. */
export const text = { bsonType: 'string' } as const;
export const uuid = { bsonType: 'string', pattern: '^[0-9a-f-]{36}$' } as const;
export const hash = { bsonType: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } as const;
export const date = { bsonType: 'date' } as const;
export const optionalDate = { bsonType: ['date', 'null'] } as const;
export const boolean = { bsonType: 'bool' } as const;
export const count = { bsonType: ['int', 'long', 'double'], minimum: 0 } as const;
export const scopeList = { bsonType: 'array', uniqueItems: true, items: { enum: [...scopes] } } as const;

/** The schema of an object with exactly these fields. Only the fields in `optional` may be missing. */
export function exactly(properties: Record<string, unknown>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { bsonType: 'object', required, properties, additionalProperties: false };
}

/** The index with which MongoDB deletes each document at its `purgeAt`. */
export const purgeIndex: IndexDeclaration = { name: 'purge', key: { purgeAt: 1 }, expireAfterSeconds: 0 };

/** The schema of the mails in a document. */
export const mailList = {
  bsonType: 'array',
  items: exactly(
    {
      id: uuid,
      purpose: text,
      state: { enum: ['pending', 'sent', 'refused', 'unknown', 'cancelled'] },
      attempts: count,
      recordedAt: date,
      dueAt: date,
      sentAt: optionalDate,
      traceparent: text,
      copies: count,
      triedSince: date,
      failure: exactly({ stage: text, code: text, words: text, kind: text, at: date }),
    },
    ['traceparent', 'copies', 'triedSince', 'failure'],
  ),
};
