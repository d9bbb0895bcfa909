import { strongEtag } from '../http/envelope.js';
import type { CacheableResponse } from '../upstream/content/response-cache.js';

/** A response with a body; a cached "not found" has none. */
export interface ContentResponse extends CacheableResponse {
  readonly body: Buffer;
}

export function jsonResponse(value: unknown, dependencies: readonly string[], links?: string): ContentResponse {
  return textResponse(JSON.stringify(value), dependencies, links);
}

export function textResponse(text: string, dependencies: readonly string[], links?: string): ContentResponse {
  // A buffer from Node's shared pool would keep 8 KiB in memory, even for a small body.
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return { body, etag: strongEtag(body), dependencies, ...(links !== undefined && { links }) };
}
