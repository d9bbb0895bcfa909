import { KnowledgeError } from '../errors/knowledge-error.js';

/** An error as it goes into the log. `reason` is its code; `code` itself is a redacted name. */
export interface SerializedError {
  type: string;
  message: string;
  reason?: string | number;
  stack?: string;
  cause?: SerializedError | string;
}

// Chains are short; a longer one is a loop.
const maxCauses = 8;

/** An error with its whole chain of causes, and nothing of its other properties, which may hold user data. */
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
