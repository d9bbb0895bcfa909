import { type Fragment, type Html, inOnePiece, languageTag, pageMeta, trusted } from '@knowledge/runtime/html';
import { LRUCache } from 'lru-cache';
import { serviceLinks } from '../../protocol/links.js';
import { serviceName, siteUrl } from '../../protocol/service-words.js';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { assetPath, pictures } from './assets.js';

/** The facts that browsers, search engines and link previews read from a page. */
export interface HeadParts {
  readonly title: string;
  /** For search engines and previews: plain text. */
  readonly description?: string | undefined;
  /** The URL under which search engines list the page. */
  readonly canonical?: string | undefined;
  /** The URL of the same text in the API. */
  readonly alternate?: string | undefined;
  /** Whether that URL also returns Markdown if `Accept` prefers it. */
  readonly asMarkdown?: boolean;
  /** The language of the text (BCP 47). The page's own words are English. */
  readonly language?: string | undefined;
  readonly author?: string | undefined;
  /** The tags of a text and its times, as the API returns them, for link previews. */
  readonly published?: { readonly at: string; readonly changed: string; readonly tags: readonly string[] };
  /** Structured data of schema.org. Browsers never run it. */
  readonly data?: object | undefined;
  /** Additional elements, such as a style of the page. */
  readonly head?: Fragment;
  /** Whether search engines should leave it out. */
  readonly noindex?: boolean;
  /** Hides navigation on private pages (confirmation, access). */
  readonly isPrivate?: boolean;
}

/** The content of `<head>`. */
export function headOf(parts: HeadParts, site: SiteName, sites: Sites): Html {
  const { title, description, canonical, alternate, asMarkdown, author, data, head, noindex, isPrivate } = parts;
  return (
    <>
      {pageMeta}
      <title>{title.startsWith(serviceName) ? title : `${title} · ${serviceName}`}</title>
      {description && <meta name="description" content={description} />}
      {author && <meta name="author" content={author} />}
      {noindex && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={canonical} />}
      {alternate && <link rel="alternate" type="application/json" href={alternate} />}
      {alternate && asMarkdown && <link rel="alternate" type="text/markdown" href={alternate} />}
      {!isPrivate && relatedLinks(site, sites)}
      {head}
      {!noindex && canonical && preview(parts, canonical, sites.base(site))}
      {assetLinks(site, sites)}
      {data && <script type="application/ld+json">{escapedJson(data)}</script>}
    </>
  );
}

/** Links to the help, the feed and the API. */
const relatedLinks = renderedOnce((site, sites) => {
  const at = { site, base: sites.base(site) };
  const feedTitle = `${serviceName} · ${siteTitles[site]}`;
  return (
    <>
      <link rel="help" href={siteUrl('/for-agents', at)} />
      <link rel="alternate" type="application/atom+xml" title={feedTitle} href={siteUrl('/feed.xml', at)} />
      {serviceLinks(at).map((link) => (
        <link {...link} />
      ))}
    </>
  );
});

const assetLinks = renderedOnce((site, sites) => {
  const root = rootPath(site, sites);
  return (
    <>
      <link rel="icon" type="image/svg+xml" href={`${root}${assetPath('icon')}`} />
      <link rel="apple-touch-icon" href={`${root}${pictures.touchIcon.path}`} />
      <link rel="stylesheet" href={`${root}${assetPath('style')}`} />
    </>
  );
});

/** The path of the site on the current host, which may differ from the host of its public URL. */
export function rootPath(site: SiteName, sites: Sites): string {
  return new URL(sites.base(site)).pathname.replace(/\/$/, '');
}

function preview({ title, description, published, language }: HeadParts, url: string, base: string) {
  const property = (name: string, content: string) => <meta property={name} content={content} />;
  return (
    <>
      {property('og:type', published ? 'article' : 'website')}
      {property('og:site_name', serviceName)}
      {property('og:title', title)}
      {description && property('og:description', description)}
      {property('og:url', url)}
      {property('og:locale', localeOf(language))}
      {property('og:image', `${base}${pictures.preview.path}`)}
      {property('og:image:alt', `The mark of ${serviceName}`)}
      {published && [
        property('article:published_time', published.at),
        property('article:modified_time', published.changed),
        ...published.tags.map((tag) => property('article:tag', tag)),
      ]}
      <meta name="twitter:card" content="summary" />
    </>
  );
}

/** The locale that link previews expect, such as `de_DE`. */
function localeOf(language = 'en') {
  const known = locales.get(language) ?? addCountry(language);
  locales.set(language, known);
  return known;
}

/** `Intl.Locale` takes microseconds, so recent results are cached. */
const locales = new LRUCache<string, string>({ max: 100 });

function addCountry(language: string) {
  try {
    const { language: name, region } = new Intl.Locale(languageTag(language) ?? 'en').maximize();
    return `${name}_${region ?? 'US'}`;
  } catch {
    return 'en_US';
  }
}

// Escapes every character that could end the script element.
function escapedJson(data: object) {
  return trusted(
    JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}

/** Renders a constant part of pages once per site, and once per `variant` if it has several. */
export function renderedOnce<Variant = void>(
  render: (site: SiteName, sites: Sites, variant: Variant) => Html,
): typeof render {
  const rendered = new WeakMap<Sites, Map<string, Html>>();
  return (site, sites, variant) => {
    const known = rendered.get(sites) ?? new Map<string, Html>();
    rendered.set(sites, known);
    const key = `${site} ${variant}`;
    const markup = known.get(key) ?? inOnePiece(render(site, sites, variant));
    known.set(key, markup);
    return markup;
  };
}
