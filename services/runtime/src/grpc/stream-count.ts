import { KnowledgeError } from '../errors/knowledge-error.js';
import type { ServerCall } from './context.js';
import { callerIdentity } from './peer.js';

/** Counts the open streams of each caller and method. */
export class StreamCount {
  private readonly open = new Map<string, number>();

  constructor(private readonly most: number) {}

  /**
   * Counts a stream and returns the function that ends it. A caller is the name in a certificate, or an address without
   * mutual TLS.
   *
   * @throws KnowledgeError `rate_limited` for one stream too many.
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
