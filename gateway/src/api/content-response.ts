import { hasCode } from '@knowledge/runtime';
import { strongEtag } from '../http/etags.js';
import type { CallContext } from '../upstream/calls.js';
import {
  type ContentKind,
  type ContentReader,
  dependency,
  throwNotPublished,
} from '../upstream/content/content-reader.js';
import type { CacheableResponse } from '../upstream/content/response-cache.js';
import { otherSite, type SiteName, siteNames } from '../upstream/sites.js';

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
  if (response.body === undefined) return throwNotPublished(what, slug, response.elsewhere);
  return response as ContentResponse;
}

/**
 * Turns the not_found of an article into a response without a body, which can be cached too. It says whether the other
 * site has an article of this name, since a slug does not show its site.
 *
 * @param under the part of the path after the slug, such as `/outline`
 */
export async function orElsewhere(
  { site, slug, under = '' }: { site: SiteName; slug: string; under?: '' | '/outline' },
  readArticle: ContentReader['readArticle'],
  context: CallContext,
  fill: () => Promise<CacheableResponse>,
): Promise<CacheableResponse> {
  try {
    return await fill();
  } catch (error) {
    if (!hasCode(error, 'not_found') || error.metadata?.['what'] === 'section') throw error;
  }
  const dependencies = siteNames.map((each) => dependency.article(each, slug));
  const other = otherSite(site);
  return orNotFound(dependencies, async () => {
    await readArticle(other, slug, context);
    const elsewhere = { site: other, path: `/api/v1/content/${slug}${under}?site=${other}` };
    return { body: undefined, etag: '', dependencies, elsewhere };
  });
}
