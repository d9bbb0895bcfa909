import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import type { HandlerContext } from './context.js';

/** A handler of any kind of method. */
export type AnyHandler = (request: unknown, context: HandlerContext, emit: unknown) => Promise<unknown>;

/** Logs every call at debug with its time. Without that level, the handler stays as it is. */
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

/** Refuses with `unavailable` until the promise resolves; without one, the handlers stay as they are. */
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
