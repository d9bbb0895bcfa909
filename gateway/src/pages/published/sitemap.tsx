import { KnowledgeError } from '@knowledge/runtime';
import { trusted, xmlDocument } from '@knowledge/runtime/html';
import type { Content } from '../../api/content.js';
import type { CallContext } from '../../upstream/call-context.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { pageUrl } from '../parts/layout.js';
import type { ArticleEntry, ObjectEntry } from './entries.js';
import { parseList } from './list-body.js';

/** Half of the URLs that sitemaps.org allows in a file, which keeps the file below its limit of bytes. */
const urlsPerPart = 25_000;
const urlsPerList = 200;

/**
 * Creates `/sitemap.xml` (sitemaps.org) from the cached lists of index and catalog, each parsed once.
 * It has all URLs of a small site; for a large one it lists its parts, which are counted from 1.
 */
export function createSitemap(content: Pick<Content, 'index' | 'catalog'>, sites: Sites) {
  const parsedLists = new WeakMap<Buffer, ListUrls>();
  const urlsOf = async (site: SiteName, context: CallContext): Promise<string[]> => {
    const query = { site, limit: urlsPerList, q: '', tag: '', updatedSince: undefined, kind: undefined };
    const urls = ownPages.map((path) => entry(pageUrl(path, site, sites)));
    for (const list of ['index', 'catalog'] as const) {
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await content[list]({ ...query, cursor }, context);
        const listed: ListUrls = parsedLists.get(body) ?? urlsIn(body);
        parsedLists.set(body, listed);
        urls.push(...listed.urls);
        cursor = listed.next;
      }
    }
    return urls;
  };
  return async (site: SiteName, part: number | undefined, context: CallContext): Promise<string> => {
    const urls = await urlsOf(site, context);
    const parts = Math.ceil(urls.length / urlsPerPart);
    if (part === undefined && parts > 1) return indexOf(parts, pageUrl('/sitemap.xml', site, sites));
    if (part !== undefined && (part > parts || parts === 1)) {
      throw new KnowledgeError('not_found', 'The sitemap has no such part.');
    }
    const first = ((part ?? 1) - 1) * urlsPerPart;
    return xmlDocument(<urlset xmlns={namespace}>{trusted(urls.slice(first, first + urlsPerPart).join(''))}</urlset>);
  };
}

const ownPages = ['/', '/articles', '/objects', '/prompts', '/for-agents', '/about', '/privacy'] as const;

/** The URLs in a list of the API, as XML. */
interface ListUrls {
  readonly urls: readonly string[];
  readonly next: string | null;
}

function urlsIn(body: Buffer): ListUrls {
  const { entries, next_cursor = null } = parseList<ArticleEntry | ObjectEntry>(body);
  return { urls: entries.map((each) => entry(each.human_url, each.updated_at)), next: next_cursor };
}

function entry(url: string, changed?: string): string {
  return (
    <url>
      <loc>{url}</loc>
      {changed !== undefined && <lastmod>{changed}</lastmod>}
    </url>
  ).markup;
}

function indexOf(parts: number, url: string): string {
  const each = Array.from({ length: parts }, (_, at) => (
    <sitemap>
      <loc>{`${url}&part=${at + 1}`}</loc>
    </sitemap>
  ));
  return xmlDocument(<sitemapindex xmlns={namespace}>{each}</sitemapindex>);
}

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
