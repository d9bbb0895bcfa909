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
