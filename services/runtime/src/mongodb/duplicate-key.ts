import { MongoServerError } from 'mongodb';

/** Whether a write failed because a document with the same key exists. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === 11_000;
}
