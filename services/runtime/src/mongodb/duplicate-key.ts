import { MongoServerError } from 'mongodb';

/** Whether a write failed because another document has the same value in a unique index. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === 11_000;
}
