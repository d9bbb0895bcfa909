import { status as Code, Metadata } from '@grpc/grpc-js';
import { BadRequest, ErrorInfo } from '@knowledge/proto/google/rpc/error_details';
import { Status } from '@knowledge/proto/google/rpc/status';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../errors/catalogue.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { CallNotAllowedError } from './access.js';
import { fromServiceError, fromStatus, toServiceError, toStatus } from './status.js';

describe('google.rpc.Status', () => {
  it('keeps every part of a KnowledgeError there and back', () => {
    const entries = fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.stringMatching(/^\w*$/), { minKeys: 1 });
    const errors = fc.record({
      code: fc.constantFrom(...errorCodes.filter((code) => code !== 'internal_error')),
      message: fc.string({ unit: 'grapheme' }),
      retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 1e6 }), { nil: undefined }),
      metadata: fc.option(entries, { nil: undefined }),
    });
    fc.assert(
      fc.property(errors, ({ code, message, retryAfterSeconds, metadata }) => {
        const error = new KnowledgeError(code, message, { retryAfterSeconds, metadata });
        const back = fromStatus(Status.decode(Status.encode(toStatus(error)).finish()));
        expect(back).toMatchObject({ code, message, retryAfterSeconds, grpcStatus: error.grpcStatus });
        expect(back.metadata ?? {}).toEqual(metadata ?? {});
      }),
    );
  });

  it('shows no detail of a defect, even if its code is internal_error', () => {
    const shown = { code: Code.INTERNAL, message: 'Something went wrong; request r1.' };
    for (const error of [new Error('at db-0'), new KnowledgeError('internal_error', 'at db-0'), 'at db-0', undefined])
      expect(toStatus(error, 'r1')).toMatchObject(shown);
  });

  it('lists every invalid field for programs', () => {
    const violations = (message: string) => {
      const { details } = toStatus(new KnowledgeError('validation_error', message));
      const found = details.find(({ typeUrl }) => typeUrl.endsWith('google.rpc.BadRequest'));
      return found && BadRequest.decode(found.value).fieldViolations.map((each) => [each.field, each.description]);
    };
    expect(violations('title must be 1 to 200 characters; filter.until must be later than filter.since.')).toEqual([
      ['title', 'must be 1 to 200 characters'],
      ['filter.until', 'must be later than filter.since'],
    ]);
    expect(violations('subject.kind is required.')).toEqual([['subject.kind', 'is required']]);
    expect(violations('The request has a text that is not valid UTF-8.')).toBeUndefined();
  });

  it('of another system is read by its number', () => {
    const bare = (code: number) => fromStatus({ code, message: 'of a stranger', details: [] });
    expect(bare(Code.UNAVAILABLE)).toMatchObject({ code: 'unavailable' });
    expect(bare(Code.NOT_FOUND)).toMatchObject({ code: 'internal_error' });
    expect(bare(Code.NOT_FOUND).message).not.toContain('stranger');
  });
});

describe('an error of a call', () => {
  const failed = (code: number, details?: Buffer) => {
    const metadata = new Metadata();
    if (details) metadata.set('grpc-status-details-bin', details);
    return Object.assign(new Error('x'), { code, details: 'x', metadata });
  };

  const cutOff = 'Received RST_STREAM with code 0 (Call ended without gRPC status)';
  const { CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE, PERMISSION_DENIED, UNAUTHENTICATED } = Code;
  const outages = [CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE, PERMISSION_DENIED, UNAUTHENTICATED];
  it.each([
    ...outages.map((code) => [`with the bare status ${code}`, failed(code)] as const),
    ['that was cut off without a status', Object.assign(failed(Code.INTERNAL), { details: cutOff })],
    ['with malformed details and its number', failed(UNAVAILABLE, Buffer.from([0xff, 0xff]))],
  ] as const)('%s is unavailable', (_, error) => {
    expect(fromServiceError(error)).toMatchObject({ code: 'unavailable', cause: error });
  });

  it.each([Code.UNKNOWN, Code.INVALID_ARGUMENT, Code.UNIMPLEMENTED, Code.INTERNAL])('with %i is a defect', (code) => {
    expect(fromServiceError(failed(code))).toMatchObject({ code: 'internal_error' });
  });

  it('that is a KnowledgeError stays unchanged', () => {
    const error = new KnowledgeError('not_found', 'No.');
    expect(fromServiceError(error)).toBe(error);
    expect(fromServiceError(new TypeError('x'))).toMatchObject({ code: 'internal_error' });
  });
});

it('says in an ErrorInfo that a caller has no access, which its client treats as an outage', () => {
  const error = toServiceError(new CallNotAllowedError('desk may not call this.'), 'r-1');
  const [bytes] = error.metadata?.get('grpc-status-details-bin') ?? [];
  const { code, message, details } = Status.decode(bytes as Buffer);
  expect({ code, message }).toEqual({ code: Code.PERMISSION_DENIED, message: 'desk may not call this.' });
  expect(ErrorInfo.decode(details[0]?.value ?? new Uint8Array())).toMatchObject({
    reason: 'call_not_allowed',
    domain: 'knowledge',
  });
  expect(fromServiceError(Object.assign(new Error(message), error))).toMatchObject({ code: 'unavailable' });
});
