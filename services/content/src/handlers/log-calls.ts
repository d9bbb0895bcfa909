import type { Logger } from '@knowledge/runtime';
import type { CallContext, Definition, Handlers } from '@knowledge/runtime/grpc';

type AnyHandler = (request: unknown, context: CallContext, emit: unknown) => Promise<unknown>;

/** The handlers with a line at debug for every call: its method and its time. Without that level, the handlers as they are. */
export function logCalls<D extends Definition>(handlers: Handlers<D>, log: Logger): Handlers<D> {
  if (!log.isLevelEnabled('debug')) return handlers;
  const logged = Object.entries(handlers).map(([name, handler]) => [name, withLine(handler as AnyHandler)]);
  return Object.fromEntries(logged) as Handlers<D>;
}

function withLine(handler: AnyHandler): AnyHandler {
  return async (request, context, emit) => {
    const begin = performance.now();
    try {
      return await handler(request, context, emit);
    } finally {
      context.log.debug({ ms: Math.round(performance.now() - begin), actor: context.actor }, 'call');
    }
  };
}
