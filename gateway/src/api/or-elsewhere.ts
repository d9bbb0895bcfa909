import { hasCode } from '@knowledge/runtime';
import type { CallContext } from '../upstream/call-context.js';
import type { ContentReader } from '../upstream/content/content-reader.js';
import { dependency } from '../upstream/content/dependencies.js';
import type { CacheableResponse } from '../upstream/content/response-cache.js';
import { otherSite, type SiteName, siteNames } from '../upstream/sites.js';
import { orNotFound } from './content-response.js';

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
