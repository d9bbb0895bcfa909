import { once } from 'node:events';
import {
  Metadata,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Clock } from '../deadline.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { CheckAccess } from './access.js';
import { checkActor, type HandlerContext, type ServerCall, ServerCallContext } from './context.js';
import { type Definition, type Method, type Request, type Response, serviceName } from './definition.js';
import { type FailureLog, toServiceError } from './status.js';
import { type CallWatch, watchMethod } from './telemetry.js';
import { type AnyHandler, requireWellFormed, type StreamCount, strictDefinition } from './wrap-handler.js';

/**
 * Sends one message of a stream. Resolves when the next message may be sent. Rejects if the caller has
 * disconnected.
 */
export type Emit<Message> = (message: Message) => Promise<void>;

/** Handles a unary method. If the handler throws an error, the call fails with the status of that error. */
export type UnaryHandler<Q, R> = (request: Q, context: HandlerContext) => Promise<R>;

/** Handles a method whose response is a stream. The stream ends when the handler returns. */
export type ServerStreamHandler<Q, R> = (request: Q, context: HandlerContext, emit: Emit<R>) => Promise<void>;

/** Handles a method whose request and response are streams. */
export type BidiStreamHandler<Q, R> = (
  requests: AsyncIterable<Q>,
  context: HandlerContext,
  emit: Emit<R>,
) => Promise<void>;

/** The handler type for the kind of a method. No proto has a stream of requests with one response. */
type Handler<M extends Method> = M extends { requestStream: true }
  ? BidiStreamHandler<Request<M>, Response<M>>
  : M extends { responseStream: true }
    ? ServerStreamHandler<Request<M>, Response<M>>
    : UnaryHandler<Request<M>, Response<M>>;

/** One handler for each method of the service. */
export type Handlers<D extends Definition> = { readonly [Name in keyof D]: Handler<D[Name]> };

/** A service that `serveGrpc` can serve. */
export interface ServiceImplementation {
  readonly name: string;
  readonly definition: ServiceDefinition;
  /** Creates the grpc-js handlers for one server, with its log and its open streams. */
  bind(server: HandlerHost): UntypedServiceImplementation;
}

/** The parts of a server that its handlers use. */
interface HandlerHost {
  readonly log: Logger;
  readonly clock: Clock;
  readonly failures: FailureLog;
  /** Measures every call, if set. */
  readonly telemetry?: Telemetry | undefined;
  /** The running streams, which the server ends when it drains. */
  readonly streams: Set<ServerCallContext>;
  /** Limits the open streams of each caller. */
  readonly open: StreamCount;
  /** Throws if the caller may not make this call. */
  readonly admit?: CheckAccess | undefined;
  /** Adds shared behaviour to every handler. */
  readonly wrap?: (handler: AnyHandler) => AnyHandler;
}

/** Combines a service definition with its handlers. */
export function implement<D extends Definition>(definition: D, handlers: Handlers<D>): ServiceImplementation {
  const service = serviceName(definition);
  return {
    name: service,
    definition: strictDefinition(definition),
    bind: (server) => {
      const methods = Object.entries(definition).map(([name, method]) => {
        const admit = (call: ServerCall) => {
          server.admit?.(call, method.path);
          checkActor(call.metadata);
        };
        const host = { ...server, admit };
        const handler = handlers[name] as unknown as AnyHandler;
        return [name, bindMethod(method, server.wrap?.(handler) ?? handler, host)];
      });
      return Object.fromEntries(methods);
    },
  };
}

interface BoundHost extends Omit<HandlerHost, 'admit'> {
  readonly admit: (call: ServerCall) => void;
  readonly watch?: ((parent?: string) => CallWatch) | undefined;
}

function bindMethod(method: Method, handler: unknown, server: BoundHost) {
  const host = { ...server, watch: server.telemetry && watchMethod(server.telemetry, method) };
  if (!method.responseStream) {
    const run = handler as UnaryHandler<unknown, unknown>;
    return answering((call, context) => run(requireWellFormed(call.request), context), host);
  }
  if (!method.requestStream) {
    const run = handler as ServerStreamHandler<unknown, unknown>;
    return streaming((call, context, emit) => run(requireWellFormed(call.request), context, emit), host);
  }
  const run = handler as BidiStreamHandler<unknown, unknown>;
  return streaming((call, context, emit) => run(messagesOf(call), context, emit), host);
}

/** Serves a method with one response. */
function answering(
  handle: (call: ServerUnaryCall<unknown, unknown>, context: HandlerContext) => Promise<unknown>,
  host: BoundHost,
) {
  const serve = (call: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<unknown>) => {
    const context = new ServerCallContext(call, host.log, false, host.clock);
    const run = async () => {
      host.admit(call);
      return handle(call, context);
    };
    const watched = host.watch?.(context.traceparent);
    const span = watched?.span;
    if (span !== undefined) context.traceparent = span.traceparent;
    const running = span === undefined ? run() : host.telemetry?.tracing.within(span, run);
    running?.then(
      (response) => {
        context.end();
        watched?.end(0);
        reportDone(call, context);
        answer(null, response, requestIdOf(context));
      },
      (error: unknown) => {
        context.end();
        report(error, call, context, host);
        reportRefused(error, call, context);
        const failed = toServiceError(error, context.requestId);
        watched?.end(failed.code ?? unknownCode);
        answer(failed);
      },
    );
  };
  return serve as UntypedHandleCall;
}

const cancelledCode = 1;
const unknownCode = 2;

type StreamCall = ServerWritableStream<unknown, unknown> & ServerDuplexStream<unknown, unknown>;

function streaming(
  run: (call: StreamCall, context: HandlerContext, emit: Emit<unknown>) => Promise<void>,
  host: BoundHost,
) {
  const serve = (call: StreamCall) => {
    const context = new ServerCallContext(call, host.log, true, host.clock);
    const emit = async (message: unknown) => {
      context.signal.throwIfAborted();
      if (!call.write(message)) await once(call, 'drain', { signal: context.signal });
    };
    const running = async () => {
      host.admit(call);
      const leave = host.open.enter(call);
      try {
        await run(call, context, emit);
      } finally {
        leave();
      }
    };
    const watched = host.watch?.(context.traceparent);
    host.streams.add(context);
    running()
      .then(
        () => {
          watched?.end(0);
          call.end(requestIdOf(context));
        },
        (error: unknown) => {
          report(error, call, context, host);
          const failed = toServiceError(error, context.requestId);
          watched?.end(isOfCaller(error, call) ? cancelledCode : (failed.code ?? unknownCode));
          if (!call.cancelled) call.emit('error', failed);
        },
      )
      .finally(() => {
        context.end();
        host.streams.delete(context);
      });
  };
  return serve as UntypedHandleCall;
}

// The requests and the response share one stream. Leaving a `for await` loop early must not end the response.
function messagesOf(call: ServerReadableStream<unknown, unknown>): AsyncIterable<unknown> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const message of call.iterator({ destroyOnReturn: false })) yield requireWellFormed(message);
    },
  };
}

// The caller can quote this id when it reports a problem, even if it sent no request id.
function requestIdOf({ requestId }: HandlerContext) {
  const trailers = new Metadata();
  trailers.set('x-request-id', requestId);
  return trailers;
}

// Only people send an actor. They make few calls, so each one is logged.
function reportDone({ metadata }: ServerCall, context: HandlerContext) {
  if (metadata.get('x-actor').length > 0) context.log.info({ actor: context.actor }, 'a call was answered');
}

function reportRefused(error: unknown, { metadata }: ServerCall, context: HandlerContext) {
  if (metadata.get('x-actor').length === 0) return;
  const { code } = KnowledgeError.from(error);
  context.log.info({ actor: context.actor, reason: code }, 'a call was refused');
}

// A failure is not logged if the caller ended the call before the deadline.
function report(error: unknown, call: ServerCall, context: HandlerContext, host: BoundHost) {
  if (!isOfCaller(error, call) || Date.now() >= context.deadline) host.failures.report(error, context);
}

/** Whether the caller cancelled the call, or broke its stream. */
function isOfCaller(error: unknown, call: ServerCall) {
  return call.cancelled || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
