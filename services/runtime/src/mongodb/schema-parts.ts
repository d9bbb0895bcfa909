import type { IndexDeclaration } from './schema.js';

// Parts of `$jsonSchema` rules.
export const text = { bsonType: 'string' } as const;
export const date = { bsonType: 'date' } as const;
export const dateOrNull = { bsonType: ['date', 'null'] } as const;
export const boolean = { bsonType: 'bool' } as const;
/** A number that the shell may have written too. */
export const number = { bsonType: ['int', 'long', 'double'] } as const;
export const count = { ...number, minimum: 0 } as const;
export const whole = { bsonType: ['int', 'long'] } as const;

export function listOf(items: object) {
  return { bsonType: 'array', items } as const;
}

/**
 * An object with these fields. Only those in `optional` may be missing, as must a field that a later release adds. Fields
 * that are not listed may be stored too.
 */
export function objectOf(properties: object, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { bsonType: 'object', required, properties } as const;
}

/** The same, but with no fields that are not listed. */
export function exactly(properties: object, optional: readonly string[] = []) {
  return { ...objectOf(properties, optional), additionalProperties: false };
}

/** The index of the documents in which this field is a time. */
export function timesIndex(name: string, field: string): IndexDeclaration {
  return { name, key: { [field]: 1 }, partialFilterExpression: { [field]: { $type: 'date' } } };
}

/** The index with which MongoDB deletes each document at the time in this field. */
export function endIndex(name: string, field: string): IndexDeclaration {
  return { name, key: { [field]: 1 }, expireAfterSeconds: 0 };
}

/** The index that finds what a request changed. */
export const requestIndex: IndexDeclaration = {
  name: 'request',
  key: { 'history.requestId': 1 },
  partialFilterExpression: { 'history.requestId': { $exists: true } },
};
