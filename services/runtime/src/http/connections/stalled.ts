import type { Socket } from 'node:net';
import { httpLimits } from '../http-limits.js';

/** Destroys connections whose client does not read its response, because the response stays in memory meanwhile. */
export function sweepStalled(open: ReadonlySet<Socket>): NodeJS.Timeout {
  const since = new WeakMap<Socket, number>();
  return setInterval(() => {
    const now = Date.now();
    for (const socket of open) {
      const begun = since.get(socket);
      if (socket.writableLength === 0) since.delete(socket);
      else if (begun === undefined) since.set(socket, now);
      else if (now - begun > httpLimits.readResponseMs) socket.destroy();
    }
  }, 1_000).unref();
}
