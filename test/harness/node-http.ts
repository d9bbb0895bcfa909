import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** A response as it came. */
export interface NodeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** Sends a request with `node:http`, which adds no headers, changes no body and refuses less than fetch. */
export function request(
  url: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer | undefined } = {},
): Promise<NodeResponse> {
  return new Promise((resolve, reject) => {
    const read = async ({ statusCode = 0, headers }: IncomingMessage, rest: Readable, first = Buffer.alloc(0)) => {
      const whole = Buffer.concat([first, await buffer(rest)]);
      resolve({ status: statusCode, headers, body: whole, text: whole.toString() });
    };
    const sent = httpRequest(url, options, (response) => void read(response, response).catch(reject));
    // For CONNECT, the rest of the response comes on the socket.
    sent.on('connect', (response, socket, first) => void read(response, socket, first).catch(reject));
    sent.on('error', reject);
    sent.end(body);
  });
}
