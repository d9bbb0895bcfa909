import { KnowledgeError } from '../errors/knowledge-error.js';

/** An error as the log shows it. `reason` is its code, since a field named `code` would be redacted. */
export interface SerializedError {
  type: string;
  message: string;
  reason?: string | number;
  stack?: string;
  cause?: SerializedError | string;
}

// Chains are short; a longer one is a loop.
const maxCauses = 8;

/** Serializes an error with its chain of causes. Its other properties are left out, since they may hold user data. */
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
