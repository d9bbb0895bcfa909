import { status as Code, Metadata, type ServiceError } from '@grpc/grpc-js';
import {
  BadRequest,
  type BadRequest_FieldViolation,
  ErrorInfo,
  RetryInfo,
} from '@knowledge/proto/google/rpc/error_details';
import { Status } from '@knowledge/proto/google/rpc/status';
import { isErrorCode } from '../errors/catalogue.js';
import { KnowledgeError, translateOutage } from '../errors/knowledge-error.js';
import { CallNotAllowedError } from './access.js';
import type { HandlerContext } from './context.js';

const domain = 'knowledge';
const typePrefix = 'type.googleapis.com/';
const errorInfoUrl = `${typePrefix}google.rpc.ErrorInfo`;
const badRequestUrl = `${typePrefix}google.rpc.BadRequest`;
const retryInfoUrl = `${typePrefix}google.rpc.RetryInfo`;
const detailsKey = 'grpc-status-details-bin';
const maxMessageLength = 2000;

/**
 * Converts an error to a `google.rpc.Status`, for one item of a batch or for a whole call. For a defect it contains
 * only the request id.
 */
export function toStatus(error: unknown, requestId = ''): Status {
  const known = toPublicError(error, requestId);
  const details = [errorInfo(known.code, known.metadata)];
  const fieldViolations = violationsOf(known);
  if (fieldViolations.length > 0) {
    details.push({ typeUrl: badRequestUrl, value: Buffer.from(BadRequest.encode({ fieldViolations }).finish()) });
  }
  if (known.retryAfterSeconds !== undefined) {
    const retry: RetryInfo = { retryDelay: { seconds: Math.ceil(known.retryAfterSeconds), nanos: 0 } };
    details.push({ typeUrl: retryInfoUrl, value: Buffer.from(RetryInfo.encode(retry).finish()) });
  }
  return { code: known.grpcStatus, message: known.message, details };
}

// Not in the catalogue, since no user causes it. To callers it is an outage.
function notAllowed({ message }: CallNotAllowedError): Status {
  return { code: Code.PERMISSION_DENIED, message, details: [errorInfo('call_not_allowed')] };
}

function errorInfo(reason: string, metadata: Readonly<Record<string, string>> = {}): Status['details'][number] {
  const info: ErrorInfo = { reason, domain, metadata: { ...metadata } };
  return { typeUrl: errorInfoUrl, value: Buffer.from(ErrorInfo.encode(info).finish()) };
}

/** Converts a `google.rpc.Status` to an error. Without our own ErrorInfo, only the status number is used. */
export function fromStatus(status: Status, cause?: unknown): KnowledgeError {
  let info: ErrorInfo | undefined;
  let retryAfterSeconds: number | undefined;
  for (const { typeUrl, value } of status.details) {
    if (typeUrl === errorInfoUrl) info = ErrorInfo.decode(value);
    else if (typeUrl === retryInfoUrl) retryAfterSeconds = RetryInfo.decode(value).retryDelay?.seconds;
  }
  if (info === undefined || info.domain !== domain || !isErrorCode(info.reason)) return fromCode(status.code, cause);
  const metadata = Object.keys(info.metadata).length === 0 ? undefined : info.metadata;
  const grpcStatus = status.code;
  return new KnowledgeError(info.reason, status.message, { cause, retryAfterSeconds, metadata, grpcStatus });
}

/** Converts a thrown error to the error that grpc-js sends: status, message and details. */
export function toServiceError(error: unknown, requestId: string): Partial<ServiceError> {
  const status = error instanceof CallNotAllowedError ? notAllowed(error) : toStatus(error, requestId);
  // Trailers have a size limit. A longer message would lose the whole status.
  status.message = status.message.slice(0, maxMessageLength);
  const metadata = new Metadata();
  if (requestId !== '') metadata.set('x-request-id', requestId);
  metadata.set(detailsKey, Buffer.from(Status.encode(status).finish()));
  return { code: status.code, details: status.message, metadata };
}

/**
 * Converts the error of a failed call to a KnowledgeError, by the code in its `ErrorInfo`. Without an `ErrorInfo`, a
 * timeout, a lost connection or a refusal of this process is `unavailable`, and other errors are defects. The gRPC
 * error becomes the cause.
 */
export function fromServiceError(error: unknown): KnowledgeError {
  if (error instanceof KnowledgeError) return error;
  if (!isServiceError(error)) return fromCode(Code.INTERNAL, error);
  const [bytes] = error.metadata?.get(detailsKey) ?? [];
  if (!Buffer.isBuffer(bytes)) return fromCode(isCutOff(error) ? Code.UNAVAILABLE : error.code, error);
  try {
    return fromStatus(Status.decode(bytes), error);
  } catch {
    return fromCode(error.code, error);
  }
}

/**
 * Converts an error to one that callers may see. An outage becomes `unavailable`; a defect shows only
 * the request id.
 */
function toPublicError(error: unknown, requestId: string) {
  const translated = translateOutage(error);
  if (translated instanceof KnowledgeError && translated.code !== 'internal_error') return translated;
  const message = requestId === '' ? 'Something went wrong.' : `Something went wrong; request ${requestId}.`;
  return new KnowledgeError('internal_error', message, { cause: error });
}

/**
 * Reads the failing fields from the message of a `validation_error`, which lists `field bound` pairs separated by
 * semicolons.
 */
function violationsOf({ code, message }: KnowledgeError): BadRequest_FieldViolation[] {
  if (code !== 'validation_error') return [];
  // Uses the same length limit as the message of the call.
  return message
    .slice(0, maxMessageLength)
    .replace(/\.$/, '')
    .split('; ')
    .flatMap((clause) => {
      const [, field, description] = /^([a-z][\w.[\]]*) ((?:must|is|may|has|names|holds)\b.*)$/su.exec(clause) ?? [];
      if (field === undefined || description === undefined) return [];
      return [{ field, description, reason: '', localizedMessage: undefined }];
    });
}

const outageCodes: ReadonlySet<number> = new Set([
  Code.CANCELLED,
  Code.DEADLINE_EXCEEDED,
  Code.RESOURCE_EXHAUSTED,
  Code.UNAVAILABLE,
]);

// The deployment causes these refusals, not the request. Another replica, or this one after a repair, may respond.
const refusalCodes: ReadonlySet<number> = new Set([Code.PERMISSION_DENIED, Code.UNAUTHENTICATED]);

function fromCode(code: number, cause: unknown) {
  if (refusalCodes.has(code)) {
    return new KnowledgeError('unavailable', 'The service cannot be called now; try again later.', {
      cause,
      retryAfterSeconds: 30,
    });
  }
  return outageCodes.has(code)
    ? new KnowledgeError('unavailable', 'A part of the service does not answer; try again.', {
        cause,
        retryAfterSeconds: 1,
      })
    : new KnowledgeError('internal_error', 'The service failed.', { cause });
}

/** A service that ends a call late, or is killed in it, sends no status; grpc-js calls that INTERNAL. */
function isCutOff({ code, details }: ServiceError) {
  return code === Code.INTERNAL && /^Received RST_STREAM\b/.test(details);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && typeof (error as Partial<ServiceError>).code === 'number';
}

// In an outage all calls fail for the same reason, so a few lines per second are enough.
const maxLinesPerSecond = 20;

/**
 * Logs defects as errors and outages as warnings. It writes at most 20 lines a second and counts the lines that it
 * leaves out. A refusal is a normal response and is not logged, unless the caller had no access.
 */
export class FailureLog {
  private second = 0;
  private lines = 0;
  private leftOut = 0;

  report(error: unknown, context: HandlerContext): void {
    if (error instanceof CallNotAllowedError) {
      if (this.admit()) context.log.warn({ peer: context.peer, refused: error.message }, 'a caller was refused');
      return;
    }
    const { code } = toPublicError(error, context.requestId);
    if (code !== 'internal_error' && code !== 'unavailable') return;
    if (!this.admit()) return;
    const facts = { err: error, ...(this.leftOut > 0 && { left_out: this.leftOut }) };
    this.leftOut = 0;
    if (code === 'internal_error') context.log.error(facts, 'a call failed');
    else context.log.warn(facts, 'a call was not answered in time');
  }

  private admit() {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.second) {
      this.second = second;
      this.lines = 0;
    }
    if (++this.lines <= maxLinesPerSecond) return true;
    this.leftOut++;
    return false;
  }
}
