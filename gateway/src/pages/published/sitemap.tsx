import type { Content } from '../../api/content.js';
import type { CallContext } from '../../upstream/call-context.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { trusted, xmlDocument } from '../parts/html.js';
import { pageUrl } from '../parts/layout.js';
import { type ArticleEntry, lastChangeOf, type ObjectEntry } from './entries.js';

/** Renders `/sitemap.xml` (sitemaps.org) from the cached listings of index and catalog. */
export interface Sitemap {
  /** All URLs of a small site; for a large site the list of parts, or one part, counted from 1. */
  of(site: SiteName, part: number | undefined, context: CallContext): Promise<string | undefined>;
}

/** Half of the URLs that sitemaps.org allows in a file, which keeps the file below its limit of bytes. */
const urlsPerPart = 25_000;
const urlsPerListing = 200;

/** Creates a sitemap, which parses each cached listing once. */
export function createSitemap(content: Pick<Content, 'index' | 'catalog'>, sites: Sites): Sitemap {
  const parsedListings = new WeakMap<Buffer, ListingUrls>();
  const urlsOf = async (site: SiteName, context: CallContext): Promise<string[]> => {
    const query = { site, limit: urlsPerListing, q: '', tag: '', updatedSince: undefined, kind: undefined };
    const urls = ['/', '/articles', '/objects', '/prompts', '/for-agents', '/about'].map((path) =>
      entry(pageUrl(path, site, sites)),
    );
    for (const list of ['index', 'catalog'] as const) {
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await content[list]({ ...query, cursor }, context);
        const listed: ListingUrls = parsedListings.get(body) ?? read(body);
        parsedListings.set(body, listed);
        urls.push(...listed.urls);
        cursor = listed.next;
      }
    }
    return urls;
  };
  return {
    async of(site, part, context) {
      const urls = await urlsOf(site, context);
      const parts = Math.ceil(urls.length / urlsPerPart);
      if (part === undefined && parts > 1) return indexOf(parts, pageUrl('/sitemap.xml', site, sites));
      if (part !== undefined && (part > parts || parts === 1)) return undefined;
      const first = ((part ?? 1) - 1) * urlsPerPart;
      return xmlDocument(<urlset xmlns={namespace}>{trusted(urls.slice(first, first + urlsPerPart).join(''))}</urlset>);
    },
  };
}

/** The URLs of one listing, as XML. */
interface ListingUrls {
  readonly urls: readonly string[];
  readonly next: string | null;
}

function read(body: Buffer): ListingUrls {
  const { entries, next_cursor } = JSON.parse(body.toString()) as {
    entries: (ArticleEntry | ObjectEntry)[];
    next_cursor: string | null;
  };
  return { urls: entries.map((each) => entry(each.human_url, lastChangeOf(each))), next: next_cursor };
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
