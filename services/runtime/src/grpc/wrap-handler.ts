import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import { callerIdentity } from './access.js';
import type { HandlerContext, ServerCall } from './context.js';

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

/** Counts open streams by caller and method. */
export class StreamCount {
  private readonly open = new Map<string, number>();

  constructor(private readonly most: number) {}

  /**
   * Counts a new stream. Returns the function to call when the stream ends. A caller is the name in a certificate, or
   * without mutual TLS an address.
   *
   * @throws KnowledgeError `rate_limited` when the caller has too many streams of this method.
   */
  enter(call: ServerCall): () => void {
    const caller = callerIdentity(call) ?? hostOfPeer(call.getPeer());
    const key = `${caller} ${call.getPath()}`;
    const count = (this.open.get(key) ?? 0) + 1;
    if (count > this.most) throw tooMany(this.most);
    this.open.set(key, count);
    return () => {
      const left = (this.open.get(key) ?? 1) - 1;
      if (left === 0) this.open.delete(key);
      else this.open.set(key, left);
    };
  }
}

function hostOfPeer(peer: string): string {
  return peer.slice(0, peer.lastIndexOf(':'));
}

function tooMany(most: number): KnowledgeError {
  const message = `You have ${most} streams of this method open, the most there may be; close some, or share one.`;
  return new KnowledgeError('rate_limited', message, { retryAfterSeconds: 30 });
}
