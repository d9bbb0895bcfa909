import { KnowledgeError } from '../errors/knowledge-error.js';
import type { ServerCall } from './context.js';
import { callerIdentity } from './peer.js';

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
