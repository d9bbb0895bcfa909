import type { ClientReadableStream } from '@grpc/grpc-js';
import type { HandlerContext } from './context.js';
import type { Emit } from './implement.js';
import { fromServiceError } from './status.js';

/** A part of the UTF-8 text of one JSON object. */
interface Piece {
  piece: Buffer;
}

const pieceBytes = 64 * 1024;

/** A field with an async iterable becomes an array, of which only one item is in memory. */
type Fields = Readonly<Record<string, unknown>>;

/** Makes the call that streams a JSON object, in messages that stay small however long it is. */
export function streamExport<Request>(fieldsOf: (request: Request, context: HandlerContext) => Promise<Fields>) {
  return async (request: Request, context: HandlerContext, emit: Emit<Piece>): Promise<void> => {
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
