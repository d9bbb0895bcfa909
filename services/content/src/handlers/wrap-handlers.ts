import { KnowledgeError, type Logger } from '@knowledge/runtime';
import type { Definition, HandlerContext, Handlers } from '@knowledge/runtime/grpc';

type AnyHandler = (request: unknown, context: HandlerContext, emit: unknown) => Promise<unknown>;

/** The handlers with a line at debug for every call: its method and its time. Without that level, the handlers as they are. */
export function logCalls<D extends Definition>(handlers: Handlers<D>, log: Logger): Handlers<D> {
  if (!log.isLevelEnabled('debug')) return handlers;
  return wrap(handlers, (handler) => async (request, context, emit) => {
    const begin = performance.now();
    try {
      return await handler(request, context, emit);
    } finally {
      context.log.debug({ ms: Math.round(performance.now() - begin), actor: context.actor }, 'call');
    }
  });
}

/** The handlers, which refuse with `unavailable` until the schema is there: queries name indexes that it makes. */
export function refuseUntil<D extends Definition>(schemaApplied: Promise<void>, handlers: Handlers<D>): Handlers<D> {
  let applied = false;
  void schemaApplied.then(() => {
    applied = true;
  });
  return wrap(handlers, (handler) => (request, context, emit) => {
    if (applied) return handler(request, context, emit);
    return Promise.reject(new KnowledgeError('unavailable', 'The service is starting.', { retryAfterSeconds: 1 }));
  });
}

function wrap<D extends Definition>(handlers: Handlers<D>, around: (handler: AnyHandler) => AnyHandler): Handlers<D> {
  const wrapped = Object.entries(handlers).map(([name, handler]) => [name, around(handler as AnyHandler)]);
  return Object.fromEntries(wrapped) as Handlers<D>;
}
