import { formatUtcDay, KnowledgeError } from '@knowledge/runtime';
import { type Fragment, languageTag, trusted, xmlDocument } from '@knowledge/runtime/html';
import { publishedKinds } from '@knowledge/runtime/product';
import type { Content } from '../../api/content.js';
import { serviceName } from '../../protocol/service-words.js';
import type { CallContext } from '../../upstream/calls.js';
import { type SiteName, type Sites, sitePurposes, siteTitles } from '../../upstream/sites.js';
import { pageUrl } from '../parts/layout.js';
import { type ArticleEntry, listTitle, type ObjectEntry } from './entries.js';
import { parseList } from './listings.js';

const newest = 20;

interface Feed {
  readonly xml: string;
  /** The time of the last change. */
  readonly updated: string;
}

/**
 * Creates `/feed.xml` (RFC 4287): the newest articles and objects of a site, from the cached lists.
 * It is rendered again only if one of its two lists has changed.
 */
export function createFeed(content: Pick<Content, 'index' | 'catalog'>, sites: Sites) {
  const rendered = new Map<SiteName, Feed & { lists: readonly Buffer[] }>();
  return async (site: SiteName, context: CallContext): Promise<Feed> => {
    const query = { site, limit: newest, cursor: '', q: '' };
    const { body: articles } = await content.index({ ...query, tag: '', updatedSince: undefined }, context);
    const { body: objects } = await content.catalog({ ...query, kind: undefined }, context);
    const known = rendered.get(site);
    if (known?.lists[0] === articles && known.lists[1] === objects) return known;
    const entries = [...parseList<ArticleEntry>(articles).entries, ...parseList<ObjectEntry>(objects).entries];
    const feed = { ...feedOf(site, entries, sites), lists: [articles, objects] };
    rendered.set(site, feed);
    return feed;
  };
}

function feedOf(site: SiteName, entries: readonly (ArticleEntry | ObjectEntry)[], sites: Sites): Feed {
  const sorted = [...entries].sort((a, b) => (a.published_at < b.published_at ? 1 : -1));
  const updated = entries.map(({ updated_at }) => updated_at).reduce((last, at) => (at > last ? at : last), epoch);
  const { license } = sites.operator;
  const feed = (
    <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
      <title>
        {serviceName} · {siteTitles[site]}
      </title>
      <subtitle>{sitePurposes[site]}</subtitle>
      <id>{pageUrl('/', site, sites)}</id>
      <link rel="self" type="application/atom+xml" href={pageUrl('/feed.xml', site, sites)} />
      <link rel="alternate" type="text/html" href={pageUrl('/', site, sites)} />
      <author>
        <name>{serviceName}</name>
      </author>
      <rights>{license.name}</rights>
      <updated>{updated}</updated>
      {sorted.map(entry)}
    </feed>
  );
  return { xml: xmlDocument(feed), updated };
}

function entry(each: ArticleEntry | ObjectEntry) {
  const { summary, author, language, published_at, updated_at, human_url } = each;
  const title = 'kind' in each ? listTitle(each) : each.title;
  const tag = languageTag(language ?? undefined);
  const byline = 'kind' in each && each.kind !== 'knowledge' ? `${author} (community)`.trim() : author;
  const edited =
    'kind' in each && each.edited_at ? ` (Edited by a moderator on ${formatUtcDay(new Date(each.edited_at))}.)` : '';
  return (
    <entry xml:lang={tag}>
      <title>{clean(title)}</title>
      <id>{human_url}</id>
      <link rel="alternate" type="text/html" href={human_url} />
      <published>{published_at}</published>
      <updated>{updated_at}</updated>
      {byline !== '' && (
        <author>
          <name>{clean(byline)}</name>
        </author>
      )}
      {categories(each)}
      {summary + edited && <summary>{clean(summary + edited)}</summary>}
    </entry>
  );
}

function categories(each: ArticleEntry | ObjectEntry): Fragment {
  if ('kind' in each) return <category term={each.kind} label={publishedKinds[each.kind].name} />;
  return each.tags.map((tag) => <category term={tag} />);
}

// XML forbids control characters and lone surrogates, even escaped.
function clean(text: string) {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}

const epoch = '1970-01-01T00:00:00Z';

/** Half of the URLs that sitemaps.org allows in a file, which keeps the file below its limit of bytes. */
const urlsPerPart = 25_000;
const urlsPerList = 200;

/**
 * Creates `/sitemap.xml` (sitemaps.org) from the cached lists of index and catalog, each parsed once.
 * It has all URLs of a small site; for a large one it lists its parts, which are counted from 1.
 */
export function createSitemap(content: Pick<Content, 'index' | 'catalog'>, sites: Sites) {
  const parsedLists = new WeakMap<Buffer, ListUrls>();
  const urlsOf = async (site: SiteName, context: CallContext) => {
    const query = { site, limit: urlsPerList, q: '', tag: '', updatedSince: undefined, kind: undefined };
    const urls = ownPages.map((path) => sitemapEntry(pageUrl(path, site, sites)));
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
  return async (site: SiteName, part: number | undefined, context: CallContext) => {
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
  return { urls: entries.map((each) => sitemapEntry(each.human_url, each.updated_at)), next: next_cursor };
}

function sitemapEntry(url: string, changed?: string) {
  return (
    <url>
      <loc>{url}</loc>
      {changed !== undefined && <lastmod>{changed}</lastmod>}
    </url>
  ).markup;
}

function indexOf(parts: number, url: string) {
  const each = Array.from({ length: parts }, (_, at) => (
    <sitemap>
      <loc>{`${url}&part=${at + 1}`}</loc>
    </sitemap>
  ));
  return xmlDocument(<sitemapindex xmlns={namespace}>{each}</sitemapindex>);
}

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
