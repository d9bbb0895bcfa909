import { hasCode } from '@knowledge/runtime';
import { strongEtag } from '../http/envelope.js';
import { limits } from '../protocol/limits.js';
import { type ContentKind, throwNotPublished } from '../upstream/content/content-reader.js';
import type { CacheableResponse } from '../upstream/content/response-cache.js';

export type ContentForm = 'json' | 'markdown';

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

/** Turns a not_found error into a response without a body, so that it can be cached too. */
export async function orNotFound(
  dependencies: readonly string[],
  fill: () => Promise<CacheableResponse>,
): Promise<CacheableResponse> {
  try {
    return await fill();
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    return { body: undefined, etag: '', dependencies };
  }
}

export function requirePublished(
  response: CacheableResponse | Promise<CacheableResponse>,
  what: ContentKind,
  slug?: string,
): ContentResponse | Promise<ContentResponse> {
  if (response instanceof Promise) return response.then((known) => requirePublished(known, what, slug));
  if (response.body === undefined) return throwNotPublished(what, response.elsewhere, slug);
  return response as ContentResponse;
}

/** Whether a path segment has the form of a slug. Other text is not_found without a call to the content service. */
export function isSlug(slug: string): boolean {
  return slug.length <= limits.slug.max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug);
}
