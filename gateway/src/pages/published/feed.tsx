import { formatUtcDay } from '@knowledge/runtime';
import { type Fragment, type Html, languageTag, xmlDocument } from '@knowledge/runtime/html';
import type { Content } from '../../api/content.js';
import { serviceName } from '../../protocol/service-words.js';
import type { CallContext } from '../../upstream/call-context.js';
import { type SiteName, type Sites, sitePurposes, siteTitles } from '../../upstream/sites.js';
import { pageUrl } from '../parts/layout.js';
import { type ArticleEntry, kindWords, listTitle, type ObjectEntry } from './entries.js';
import { parseList } from './list-body.js';

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

function entry(each: ArticleEntry | ObjectEntry): Html {
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
  if ('kind' in each) return <category term={each.kind} label={kindWords[each.kind]} />;
  return each.tags.map((tag) => <category term={tag} />);
}

// XML forbids control characters and lone surrogates, even escaped.
function clean(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}

const epoch = '1970-01-01T00:00:00Z';
