import { once } from 'node:events';
import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  sendUnaryData,
  UntypedHandleCall,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Logger } from '../log/logger.js';
import { type CallContext, ServerCallContext } from './context.js';
import { type Definition, type Method, type Request, type Response, serviceName } from './definition.js';
import { presentable, toServiceError } from './status.js';

/** Sends one message of a stream; resolves when there is room for the next, rejects when the caller is gone. */
export type Emit<Message> = (message: Message) => Promise<void>;

/** A handler of a unary method. What it throws becomes the status. */
export type UnaryHandler<Q, R> = (request: Q, context: CallContext) => Promise<R>;

/** A handler of a method that answers with a stream, which ends when the handler does. */
export type ServerStreamHandler<Q, R> = (request: Q, context: CallContext, emit: Emit<R>) => Promise<void>;

/** A handler of a method that takes a stream. */
export type ClientStreamHandler<Q, R> = (requests: AsyncIterable<Q>, context: CallContext) => Promise<R>;

/** A handler of a method that takes and answers with streams. */
export type BidiStreamHandler<Q, R> = (
  requests: AsyncIterable<Q>,
  context: CallContext,
  emit: Emit<R>,
) => Promise<void>;

/** The handler that a method needs. */
export type Handler<M extends Method> = M extends { requestStream: false; responseStream: false }
  ? UnaryHandler<Request<M>, Response<M>>
  : M extends { requestStream: false; responseStream: true }
    ? ServerStreamHandler<Request<M>, Response<M>>
    : M extends { requestStream: true; responseStream: false }
      ? ClientStreamHandler<Request<M>, Response<M>>
      : BidiStreamHandler<Request<M>, Response<M>>;

/** One handler for each method of the service. */
export type Handlers<D extends Definition> = { readonly [Name in keyof D]: Handler<D[Name]> };

/** A service that `serveGrpc` can serve. */
export interface ServiceImplementation {
  readonly name: string;
  readonly definition: ServiceDefinition;
  /** Binds the handlers to the log and the open streams of one server. */
  bind(server: HandlerHost): UntypedServiceImplementation;
}

/** What handlers need of their server. */
export interface HandlerHost {
  readonly log: Logger;
  /** The streams that run, which the server ends when it drains. */
  readonly streams: Set<ServerCallContext>;
}

/** Joins a definition with its handlers. */
export function implement<D extends Definition>(definition: D, handlers: Handlers<D>): ServiceImplementation {
  return {
    name: serviceName(definition),
    definition: definition as unknown as ServiceDefinition,
    bind: (host) =>
      Object.fromEntries(
        Object.entries(definition).map(([name, method]) => [name, bindMethod(method, handlers[name], host)]),
      ),
  };
}

/** A handler of a server stream on its own, outside an `implement` that would give it its types. */
export function serverStream<Q, R>(handler: ServerStreamHandler<Q, R>): ServerStreamHandler<Q, R> {
  return handler;
}

/** A handler of a bidirectional stream on its own, outside an `implement` that would give it its types. */
export function bidiStream<Q, R>(handler: BidiStreamHandler<Q, R>): BidiStreamHandler<Q, R> {
  return handler;
}

function bindMethod(method: Method, handler: unknown, host: HandlerHost): UntypedHandleCall {
  if (!method.requestStream && !method.responseStream) return unary(handler as UnaryHandler<unknown, unknown>, host);
  if (!method.responseStream) return clientStreaming(handler as ClientStreamHandler<unknown, unknown>, host);
  return method.requestStream
    ? streaming((call, context, emit) => (handler as BidiStreamHandler<unknown, unknown>)(call, context, emit), host)
    : streaming(
        (call, context, emit) => (handler as ServerStreamHandler<unknown, unknown>)(call.request, context, emit),
        host,
      );
}

function unary(handler: UnaryHandler<unknown, unknown>, host: HandlerHost): UntypedHandleCall {
  return (call: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<unknown>): void => {
    const context = new ServerCallContext(call, host.log, false);
    settle(() => handler(call.request, context), context, answer);
  };
}

function clientStreaming(handler: ClientStreamHandler<unknown, unknown>, host: HandlerHost): UntypedHandleCall {
  return (call: ServerReadableStream<unknown, unknown>, answer: sendUnaryData<unknown>): void => {
    const context = new ServerCallContext(call, host.log, false);
    settle(() => handler(call, context), context, answer);
  };
}

function settle(run: () => Promise<unknown>, context: ServerCallContext, answer: sendUnaryData<unknown>): void {
  // An async frame, so that a handler that throws at once is no different.
  const running = (async () => run())();
  running.then(
    (response) => {
      context.end();
      answer(null, response);
    },
    (error: unknown) => {
      context.end();
      report(error, context);
      answer(toServiceError(error, context.requestId));
    },
  );
}

type StreamCall = ServerWritableStream<unknown, unknown> & ServerDuplexStream<unknown, unknown>;

function streaming(
  run: (call: StreamCall, context: CallContext, emit: Emit<unknown>) => Promise<void>,
  host: HandlerHost,
): UntypedHandleCall {
  return ((call: StreamCall): void => {
    const context = new ServerCallContext(call, host.log, true);
    host.streams.add(context);
    const emit = async (message: unknown): Promise<void> => {
      context.signal.throwIfAborted();
      if (!call.write(message)) await once(call, 'drain', { signal: context.signal });
    };
    // A stream that broke says so by "cancelled"; without a listener its error would end the process.
    call.on('error', () => undefined);
    (async () => run(call, context, emit))()
      .then(
        () => call.end(),
        (error: unknown) => {
          if (!call.cancelled) report(error, context);
          call.emit('error', toServiceError(error, context.requestId));
        },
      )
      .finally(() => {
        context.end();
        host.streams.delete(context);
      });
  }) as UntypedHandleCall;
}

// A refusal is an answer, not news; an outage and a defect are.
function report(error: unknown, context: CallContext): void {
  const shown = presentable(error, context.requestId);
  if (shown.code === 'internal_error') context.log.error({ err: error }, 'a call failed');
  else if (shown.code === 'unavailable') context.log.warn({ err: error }, 'a call was not answered in time');
}
