import type { ClientReadableStream } from '@grpc/grpc-js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { HandlerContext } from './context.js';
import type { Emit } from './implement.js';
import { fromServiceError } from './status.js';

/** A part of the UTF-8 text of one JSON object. */
interface Piece {
  piece: Buffer;
}

const pieceBytes = 64 * 1024;
const wholeBytes = 3 * 1024 * 1024;

/** A field with an async iterable becomes an array, of which only one item is in memory. */
type Fields = Readonly<Record<string, unknown>>;

/** Makes the two calls that export a JSON object. One streams it, the other answers in one message if it fits. */
export function exportCalls<Request>(
  streamedBy: string,
  fieldsOf: (request: Request, context: HandlerContext) => Promise<Fields>,
) {
  async function* textOf(request: Request, context: HandlerContext): AsyncGenerator<string> {
    yield* jsonText(await fieldsOf(request, context));
  }
  return {
    whole: async (request: Request, context: HandlerContext) => ({
      data: await wholeObject(textOf(request, context), streamedBy),
    }),
    stream: (request: Request, context: HandlerContext, emit: Emit<Piece>) =>
      emitPieces(textOf(request, context), emit),
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

/** Sends a text in messages that stay small however long the text is. */
async function emitPieces(text: AsyncIterable<string>, emit: Emit<Piece>): Promise<void> {
  for await (const part of text) {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length; at += pieceBytes) await emit({ piece: bytes.subarray(at, at + pieceBytes) });
  }
}

/** Reads what `stream` of `exportCalls` sends. Rejects with a KnowledgeError if the stream ends early. */
export async function readPieces(stream: ClientReadableStream<Piece>): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  try {
    for await (const { piece } of stream as AsyncIterable<Piece>) pieces.push(piece);
  } catch (error) {
    throw fromServiceError(error);
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
}

/**
 * Reads a text for an answer that is one message.
 *
 * @throws KnowledgeError `invalid_state` if it is too long for one, naming the call that streams it.
 */
async function wholeObject(text: AsyncIterable<string>, streamedBy: string): Promise<Record<string, unknown>> {
  let whole = '';
  let bytes = 0;
  for await (const part of text) {
    whole += part;
    bytes += Buffer.byteLength(part);
    if (bytes > wholeBytes)
      throw new KnowledgeError('invalid_state', `The data is too large for one answer; call ${streamedBy}.`);
  }
  return JSON.parse(whole) as Record<string, unknown>;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
