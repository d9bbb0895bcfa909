import { ErrorReason } from '@knowledge/proto/knowledge/common/v1/error_reason';
import { MongoBulkWriteError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalogue, errorCodes, isErrorCode } from './catalogue.js';
import { hasCode, isOutage, KnowledgeError, translateOutage } from './knowledge-error.js';

// A hand-written copy of the table of gateway/PROTOCOL.md#errors, so that a wrong entry in the catalogue fails a test.
const published: Record<ErrorCode, number> = {
  ...{ not_found: 404, read_quota_exceeded: 429, missing_token: 401, invalid_token: 401, validation_error: 400 },
  ...{ invalid_body: 400, site_restriction: 403, missing_code: 400, invalid_or_expired_code: 400 },
  ...{ no_active_prompt: 400, insufficient_scope: 403, writes_blocked: 403, authorization_denied: 403 },
  ...{ rate_limited: 429, idempotency_conflict: 409, invalid_state: 409, precondition_failed: 412 },
  ...{ method_not_allowed: 405, misdirected_request: 421, payload_too_large: 413, bad_request: 400 },
  ...{ request_timeout: 408, uri_too_long: 414, headers_too_large: 431, unsupported_media_type: 415, unavailable: 503 },
  internal_error: 500,
};

describe('the catalogue', () => {
  it('has exactly the published codes with their HTTP statuses', () => {
    const statuses = Object.fromEntries(errorCodes.map((code) => [code, errorCatalogue[code].http]));
    expect(statuses).toEqual(published);
  });

  it.each(errorCodes)('%s has the gRPC status of an error and a description', (code) => {
    const { grpc, description } = errorCatalogue[code];
    expect(grpc).toBeGreaterThan(0);
    expect(grpc).toBeLessThanOrEqual(16);
    expect(description).toMatch(/^[A-Z].+\.$/);
  });

  it('uses UNAVAILABLE, on which clients retry, only for an outage', () => {
    expect(errorCodes.filter((code) => errorCatalogue[code].grpc === 14)).toEqual(['unavailable']);
  });

  it('does not accept inherited property names as codes', () => {
    expect(isErrorCode('not_found')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
  });
});

it('lists the same codes as the protos', () => {
  const inProtos = Object.values(ErrorReason).map((name) => name.replace('ERROR_REASON_', '').toLowerCase());
  expect(inProtos.filter((name) => !['unspecified', 'unrecognized'].includes(name)).sort()).toEqual(
    [...errorCodes].sort(),
  );
});

describe('KnowledgeError', () => {
  it('has the code, message and options of its constructor', () => {
    const cause = new Error('inner');
    const error = new KnowledgeError('invalid_state', 'Stale.', { cause, metadata: { revision: '3' }, grpcStatus: 10 });
    expect(error).toMatchObject({ code: 'invalid_state', message: 'Stale.', cause, grpcStatus: 10 });
    expect(hasCode(error, 'invalid_state')).toBe(true);
    expect(hasCode(cause, 'invalid_state')).toBe(false);
  });

  it('wraps an unknown error as an internal error', () => {
    const cause = new TypeError('x is not a function');
    expect(KnowledgeError.from(cause)).toMatchObject({ code: 'internal_error', cause });
    const ours = new KnowledgeError('not_found', 'No.');
    expect(KnowledgeError.from(ours)).toBe(ours);
  });
});

/** What the driver throws where it wraps the reason of an abort. */
function abortedBulkWrite(): unknown {
  try {
    return new MongoBulkWriteError(new DOMException('The deadline passed.', 'TimeoutError') as never, {} as never);
  } catch (error) {
    return error;
  }
}

describe('an outage', () => {
  const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });

  it.each([
    ...[named('AbortError'), named('TimeoutError'), named('MongoNetworkError'), named('MongoNetworkTimeoutError')],
    ...[named('MongoServerSelectionError'), named('MongoWaitQueueTimeoutError'), named('PoolClearedOnNetworkError')],
    ...[named('MongoOperationTimeoutError'), named('MongoWriteConcernError', { code: 64 })],
    ...[named('MongoServerError', { code: 10107 }), named('MongoServerError', { code: 50 })],
    named('MongoServerError', { errorLabels: ['RetryableWriteError'] }),
    named('MongoBulkWriteError', { result: { getWriteConcernError: () => ({ code: 64 }) } }),
    named('MongoBulkWriteError', { errorResponse: named('MongoOperationTimeoutError') }),
    ...[Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), abortedBulkWrite() as Error],
  ])('is $name: unavailable, with the error as its cause', (error) => {
    expect(translateOutage(error)).toMatchObject({ code: 'unavailable', cause: error, retryAfterSeconds: 1 });
  });

  it.each([
    ...[named('MongoServerError', { code: 11000 }), named('MongoServerError', { code: 121 })],
    named('MongoBulkWriteError', { code: 11000, result: { getWriteConcernError: () => undefined } }),
    ...[named('Error', { code: 7 }), new TypeError('x is not a function'), 'a string', undefined],
  ])('is not %s, which is left as it is', (error) => {
    expect(isOutage(error)).toBe(false);
    expect(translateOutage(error)).toBe(error);
  });
});
