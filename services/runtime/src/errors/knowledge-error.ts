import { type ErrorCode, errorCatalogue } from './catalogue.js';

export interface KnowledgeErrorOptions {
  /** The underlying error. It goes to the log only and never leaves the process. */
  cause?: unknown;
  /** When the caller may try again, in whole seconds. */
  retryAfterSeconds?: number | undefined;
  /** Details for programs, sent to the caller as in google.rpc.ErrorInfo. */
  metadata?: Record<string, string> | undefined;
  /** A gRPC status that is more exact than the one of the catalogue, e.g. ABORTED (10) for a stale revision. */
  grpcStatus?: number | undefined;
}

/**
 * The only error that is shown to callers. Its code decides the gRPC and HTTP status, and its message is written for
 * the caller. Any other error that reaches an edge is a defect and becomes `internal_error`.
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
