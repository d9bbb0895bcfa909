import { type ErrorCode, errorCatalogue } from './catalogue.js';

/** What a KnowledgeError may carry besides its code and its message. */
export interface KnowledgeErrorOptions {
  /** What led here; for the log only, it never leaves the process. */
  cause?: unknown;
  /** When the caller may come back, in whole seconds. */
  retryAfterSeconds?: number | undefined;
  /** Facts for programs, as in google.rpc.ErrorInfo; they reach the caller. */
  metadata?: Record<string, string> | undefined;
  /** A gRPC status that says more than the catalogue's, e.g. ABORTED (10) for a stale revision. */
  grpcStatus?: number | undefined;
}

/**
 * The one error that may cross a border: its code decides the gRPC and the HTTP status, and its message is meant for the
 * caller. Any other error that reaches an edge is a defect and shown as `internal_error`.
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

  /** The error itself, or an `internal_error` around what is a defect. */
  static from(error: unknown): KnowledgeError {
    return error instanceof KnowledgeError
      ? error
      : new KnowledgeError('internal_error', 'Something went wrong.', { cause: error });
  }
}

/** Whether an error is ours and has this code. */
export function hasCode(error: unknown, code: ErrorCode): error is KnowledgeError {
  return error instanceof KnowledgeError && error.code === code;
}
