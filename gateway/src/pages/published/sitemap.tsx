import type { Content } from '../../api/content.js';
import type { CallContext } from '../../upstream/call-context.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { trusted, xmlDocument } from '../parts/html.js';
import { pageUrl } from '../parts/layout.js';
import { type ArticleEntry, lastChangeOf, type ObjectEntry } from './entries.js';

/** Makes `/sitemap.xml` (sitemaps.org) from the cached listings of index and catalog. */
export interface Sitemap {
  /** All URLs of a small site; of a large one the list of its parts, or one part (from 1). Undefined if there is no such part. */
  of(site: SiteName, part: number | undefined, asker: CallContext): Promise<string | undefined>;
}

/** URLs in one file: half of what sitemaps.org allows, which also keeps the file below its limit of bytes. */
const urlsAPart = 25_000;
const urlsAPage = 200;

/** Makes a sitemap. It parses each cached listing once. */
export function createSitemap(content: Pick<Content, 'index' | 'catalog'>, sites: Sites): Sitemap {
  const known = new WeakMap<Buffer, Listed>();
  const urlsOf = async (site: SiteName, asker: CallContext): Promise<string[]> => {
    const asked = { site, limit: urlsAPage, q: '', tag: '', updatedSince: undefined, kind: undefined };
    const urls = ['/', '/articles', '/objects', '/prompts', '/for-agents', '/about'].map((path) =>
      entry(pageUrl(path, site, sites)),
    );
    for (const list of ['index', 'catalog'] as const) {
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await content[list]({ ...asked, cursor }, asker);
        const listed: Listed = known.get(body) ?? read(body);
        known.set(body, listed);
        urls.push(...listed.urls);
        cursor = listed.next;
      }
    }
    return urls;
  };
  return {
    async of(site, part, asker) {
      const urls = await urlsOf(site, asker);
      const parts = Math.ceil(urls.length / urlsAPart);
      if (part === undefined && parts > 1) return indexOf(parts, pageUrl('/sitemap.xml', site, sites));
      if (part !== undefined && (part > parts || parts === 1)) return undefined;
      const first = ((part ?? 1) - 1) * urlsAPart;
      return xmlDocument(<urlset xmlns={namespace}>{trusted(urls.slice(first, first + urlsAPart).join(''))}</urlset>);
    },
  };
}

/** The URLs of one listing, as XML. */
interface Listed {
  readonly urls: readonly string[];
  readonly next: string | null;
}

function read(body: Buffer): Listed {
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
