import { randomUUID } from 'node:crypto';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { Status } from '@knowledge/proto/google/rpc/status';
import type { Deadline } from '../deadline.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { renewTraceparent } from '../telemetry/tracing.js';
import { type CallNames, type HandlerContext, isRequestId } from './context.js';
import type { Method } from './definition.js';
import type { Emit } from './implement.js';
import { FailureLog, fromServiceError, toServiceError, toStatus } from './status.js';
import { watchMethod } from './telemetry.js';

/** What a message of a stream says about the call that it carries, instead of metadata and a deadline. */
interface StreamCallFacts {
  readonly requestId: string;
  /** Empty if the call has no trace. */
  readonly traceparent: string;
  readonly deadline: Deadline;
}

/** The context of one call on a stream. */
export type StreamCallContext = Pick<HandlerContext, 'requestId' | 'deadline' | 'log'>;

/** Runs a handler for one call on a stream. Resolves to its response, or to the status of its error. Never rejects. */
export type RunStreamCall = <R>(
  stream: HandlerContext,
  facts: StreamCallFacts,
  handler: (call: StreamCallContext) => Promise<R>,
) => Promise<{ response: R } | { error: Status }>;

/** Measures, traces and logs calls on a stream as calls of a unary method. */
export function streamCallsOf({ path, ...method }: Method, telemetry: Telemetry): RunStreamCall {
  const watch = watchMethod(telemetry, { path, ...method });
  const failures = new FailureLog();
  return async (stream, { requestId, deadline, ...facts }, handler) => {
    const traceparent = renewTraceparent(facts.traceparent);
    const { span, end } = watch(traceparent);
    const names = { requestId: isRequestId(requestId) ? requestId : randomUUID(), traceparent, method: path };
    const context = contextOf(stream, names, deadline);
    try {
      const response = await (span === undefined
        ? handler(context)
        : telemetry.tracing.within(span, () => handler(context)));
      end(0);
      return { response };
    } catch (error) {
      failures.report(error, context);
      end(toServiceError(error, names.requestId).code ?? unknownCode);
      return { error: toStatus(error, names.requestId) };
    }
  };
}

const unknownCode = 2;

/** The context of the stream with the facts of one call. Its log is made on first use, since few calls write to it. */
function contextOf(stream: HandlerContext, names: CallNames, deadline: Deadline) {
  let log: Logger | undefined;
  const own = {
    requestId: names.requestId,
    traceparent: names.traceparent,
    method: names.method,
    deadline,
    get log() {
      log ??= stream.logOf(names);
      return log;
    },
  };
  return Object.setPrototypeOf(own, stream) as HandlerContext;
}

/** A part of the UTF-8 text of one JSON object. */
interface Piece {
  piece: Buffer;
}

const pieceBytes = 64 * 1024;

/** A field with an async iterable becomes an array, of which only one item is in memory. */
type Fields = Readonly<Record<string, unknown>>;

/** Makes the call that streams a JSON object, in messages that stay small however long it is. */
export function streamExport<Request>(fieldsOf: (request: Request, context: HandlerContext) => Promise<Fields>) {
  return async (request: Request, context: HandlerContext, emit: Emit<Piece>) => {
    for await (const part of jsonText(await fieldsOf(request, context))) {
      const bytes = Buffer.from(part);
      for (let at = 0; at < bytes.length; at += pieceBytes) await emit({ piece: bytes.subarray(at, at + pieceBytes) });
    }
  };
}

async function* jsonText(fields: Fields): AsyncGenerator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(fields)) {
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!isAsyncIterable(value)) yield JSON.stringify(value ?? null);
    else {
      let separator = '[';
      for await (const item of value) {
        yield separator + JSON.stringify(item);
        separator = ',';
      }
      yield separator === '[' ? '[]' : ']';
    }
  }
  yield '}';
}

/** Converts items one by one. */
export async function* eachShown<Item>(items: AsyncIterable<Item>, show: (item: Item) => object) {
  for await (const item of items) yield show(item);
}

/** Reads what `streamExport` sends. Rejects with a KnowledgeError if the stream ends early. */
export async function readPieces(stream: ClientReadableStream<Piece>): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  try {
    for await (const { piece } of stream as AsyncIterable<Piece>) pieces.push(piece);
  } catch (error) {
    throw fromServiceError(error);
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
