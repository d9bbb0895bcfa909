import { KnowledgeError } from '../errors/knowledge-error.js';

/** The form of an error in the log. The code is called `reason`, since fields named `code` are redacted. */
export interface SerializedError {
  type: string;
  message: string;
  reason?: string | number;
  stack?: string;
  cause?: SerializedError | string;
}

// A longer chain of causes must be a loop.
const maxCauses = 8;

/** Serializes an error and its chain of causes. It leaves out other properties, since they may contain user data. */
export function serializeError(error: unknown, depth = 0): SerializedError | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`;
  const { code } = error as { code?: unknown };
  const reason = error instanceof KnowledgeError ? error.code : code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof reason === 'string' || typeof reason === 'number' ? { reason } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= maxCauses ? {} : { cause: serializeError(error.cause, depth + 1) }),
  };
}
