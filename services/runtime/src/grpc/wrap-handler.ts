import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import type { HandlerContext } from './context.js';

/** A handler of any of the four kinds of methods. */
export type AnyHandler = (request: unknown, context: HandlerContext, emit: unknown) => Promise<unknown>;

/** Logs every call with its duration at level debug. At other levels the handler is not wrapped. */
export function logCalls(handler: AnyHandler, log: Logger): AnyHandler {
  if (!log.isLevelEnabled('debug')) return handler;
  return async (request, context, emit) => {
    const begin = performance.now();
    try {
      return await handler(request, context, emit);
    } finally {
      context.log.debug({ ms: Math.round(performance.now() - begin), actor: context.actor }, 'call');
    }
  };
}

/** Refuses calls with `unavailable` until the promise resolves. Without a promise the handlers are not wrapped. */
export function refuseUntil(complete: Promise<void> | undefined): (handler: AnyHandler) => AnyHandler {
  if (complete === undefined) return (handler) => handler;
  let open = false;
  void complete.then(() => {
    open = true;
  });
  return (handler) => (request, context, emit) => {
    if (open) return handler(request, context, emit);
    return Promise.reject(new KnowledgeError('unavailable', 'The service is starting.', { retryAfterSeconds: 1 }));
  };
}
