import { type ErrorCode, errorCatalogue } from './catalogue.js';

export interface KnowledgeErrorOptions {
  /** The error that caused this one. It is only logged and never sent to a caller. */
  cause?: unknown;
  /** When the caller may try again, in whole seconds. */
  retryAfterSeconds?: number | undefined;
  /** Details for programs. The caller gets them in google.rpc.ErrorInfo. */
  metadata?: Record<string, string> | undefined;
  /** Overrides the gRPC status of the catalogue with a more exact one, e.g. ABORTED (10) for a stale revision. */
  grpcStatus?: number | undefined;
}

/**
 * The only error whose message callers see. Its code decides the gRPC and the HTTP status. The server treats any other
 * error as a defect and sends `internal_error` instead.
 */
export class KnowledgeError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly grpcStatus: number;

  constructor(code: ErrorCode, message: string, options: KnowledgeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KnowledgeError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.metadata = options.metadata;
    this.grpcStatus = options.grpcStatus ?? errorCatalogue[code].grpc;
  }

  /** Returns a KnowledgeError as it is and wraps any other error as `internal_error`. */
  static from(error: unknown): KnowledgeError {
    return error instanceof KnowledgeError
      ? error
      : new KnowledgeError('internal_error', 'Something went wrong.', { cause: error });
  }
}

export function hasCode(error: unknown, code: ErrorCode): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === code;
}

/** Makes nothing of a read that finds nothing. Throws every other failure again. */
export function unlessNotFound(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error;
}

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

function labels(value: unknown) {
  if (value instanceof Set || Array.isArray(value)) return [...value].filter((each) => typeof each === 'string');
  return [];
}

function hasWriteConcernError(result: unknown) {
  if (typeof result !== 'object' || result === null) return false;
  const { writeConcernError, getWriteConcernError } = result as {
    writeConcernError?: unknown;
    getWriteConcernError?: unknown;
  };
  if (writeConcernError !== undefined && writeConcernError !== null) return true;
  return typeof getWriteConcernError === 'function' && getWriteConcernError.call(result) !== undefined;
}
