import type { ClientDuplexStream, ClientReadableStream } from '@grpc/grpc-js';
import { deadlineIn } from '@knowledge/runtime';
import { type CallOptions, fromServiceError } from '@knowledge/runtime/grpc';
import type { ServiceName } from '../connection/services.js';
import { DeskError } from '../desk-error.js';
import { cleanJson } from '../print/clean.js';
import { connectTimeoutMs, type Session } from '../session.js';
import type { Contract, FoundMethod } from './contract.js';
import { fromMessage } from './from-message.js';
import type { Messages } from './input.js';
import { toMessage } from './to-message.js';
import { resolveType } from './types.js';

/** One call of one method. */
export interface Invocation {
  readonly session: Session;
  readonly contract: Contract;
  readonly found: FoundMethod;
  /** Whose address is called. */
  readonly service: ServiceName;
  readonly messages: Messages;
}

const deadlineMs = 30_000;

/** Calls the method and prints what it answers: JSON in any case, of a stream one object a line. */
export async function invoke({ session, contract, found, service, messages }: Invocation): Promise<void> {
  const { method, name } = found;
  const inside = found.service.slice(0, found.service.lastIndexOf('.'));
  const requestType = resolveType(contract, nameOf(method.requestType), inside);
  const responseType = resolveType(contract, nameOf(method.responseType), inside);
  const show = (message: object): object => fromMessage(contract, responseType, message) as object;
  // What is wrong with the one request is told before anybody is called.
  const request = method.requestStream ? {} : toMessage(contract, requestType, await messages.one());

  const client = session.connect(service, { [name]: method }, { deadlineMs });
  await client.ready(deadlineIn(connectTimeoutMs));
  const call: unknown = client[name];
  if (!method.responseStream) {
    if (method.requestStream) throw new DeskError('unimplemented', `${name} takes a stream and gives one answer.`);
    const answer = await (call as Unary)(request, session.callContext());
    session.print.result(show(answer), (shown) => cleanJson(shown, 2));
    return;
  }
  if (!method.requestStream) {
    await printAll(session, (call as ServerStream)(request, session.callContext()), show);
    return;
  }
  const stream = (call as BidiStream)(session.callContext());
  let fault: unknown;
  const send = async (): Promise<void> => {
    for await (const message of messages.many()) stream.write(toMessage(contract, requestType, message));
    stream.end();
  };
  send().catch((error: unknown) => {
    fault = error;
    stream.cancel();
  });
  try {
    await printAll(session, stream, show);
  } catch (error) {
    throw fault ?? error;
  }
}

/** Prints what comes until the stream ends, or the user ends it. */
async function printAll(
  session: Session,
  stream: ClientReadableStream<object>,
  show: (message: object) => object,
): Promise<void> {
  try {
    for await (const message of stream as AsyncIterable<object>)
      session.print.event(show(message), (shown) => cleanJson(shown));
  } catch (error) {
    if (!session.host.interrupted.aborted) throw fromServiceError(error);
  }
}

function nameOf({ type }: { type: object }): string {
  return (type as { name: string }).name;
}

type Unary = (request: object, options: CallOptions) => Promise<object>;
type ServerStream = (request: object, options: CallOptions) => ClientReadableStream<object>;
type BidiStream = (options: CallOptions) => ClientDuplexStream<object, object>;
