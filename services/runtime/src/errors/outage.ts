import { KnowledgeError } from './knowledge-error.js';

/**
 * Turns an outage into `unavailable` and returns any other error unchanged. An outage is an aborted operation, a lost
 * connection, no primary, a full pool or a write that no majority confirmed (SECURITY.md#database). The check needs no
 * driver, since it compares only names, codes and labels.
 */
export function translateOutage(error: unknown): unknown {
  if (error instanceof KnowledgeError || !isOutage(error)) return error;
  return new KnowledgeError('unavailable', 'A part of the service does not answer; try again.', {
    cause: error,
    retryAfterSeconds: 1,
  });
}

/** Whether the error means that a server did not respond or confirm. A refusal by a server is no outage. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (outageNames.has(error.name)) return true;
  // Driver 7.8 fails so where it puts the abort of a bulk write into its own error.
  if (error instanceof TypeError && error.message.startsWith('Cannot set property name of')) return true;
  const { code, errorLabels, errorResponse, writeConcernError, result } = error as MongoLike;
  if (error.name.startsWith('Mongo') && typeof code === 'number' && outageCodes.has(code)) return true;
  if (typeof code === 'string' && socketCodes.has(code)) return true;
  if (writeConcernError !== undefined || hasWriteConcernError(result)) return true;
  // An aborted bulk write wraps the error that caused the abort.
  if (errorResponse instanceof Error && isOutage(errorResponse)) return true;
  return labels(errorLabels).some((label) => outageLabels.has(label));
}

interface MongoLike {
  code?: unknown;
  errorLabels?: unknown;
  errorResponse?: unknown;
  writeConcernError?: unknown;
  result?: unknown;
}

const outageNames: ReadonlySet<string> = new Set([
  'AbortError',
  'TimeoutError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
  'MongoTransactionAborted',
]);

// Server error codes: those of the retryable-writes specification, time limits and write concern failures.
const outageCodes: ReadonlySet<number> = new Set([
  6, 7, 24, 50, 64, 79, 89, 91, 100, 112, 134, 189, 202, 246, 251, 262, 317, 358, 384, 9001, 10058, 10107, 11600, 11601,
  11602, 13388, 13435, 13436,
]);

const socketCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
]);

const outageLabels: ReadonlySet<string> = new Set([
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'SystemOverloadedError',
]);

function labels(value: unknown): string[] {
  if (value instanceof Set || Array.isArray(value)) return [...value].filter((each) => typeof each === 'string');
  return [];
}

function hasWriteConcernError(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const { writeConcernError, getWriteConcernError } = result as {
    writeConcernError?: unknown;
    getWriteConcernError?: unknown;
  };
  if (writeConcernError !== undefined && writeConcernError !== null) return true;
  return typeof getWriteConcernError === 'function' && getWriteConcernError.call(result) !== undefined;
}
