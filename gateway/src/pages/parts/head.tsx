import { timestamp } from '../../http/envelope.js';
import { serviceLinks } from '../../protocol/links.js';
import { serviceName } from '../../protocol/service-words.js';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { assetPath } from './assets.js';
import { type Fragment, type Html, trusted } from './html.js';
import { languageTag } from './language.js';
import { pictures } from './pictures.js';

/** The facts that browsers, search engines and link previews read from a page. */
export interface HeadParts {
  readonly title: string;
  /** For search engines and previews: plain text. */
  readonly description?: string | undefined;
  /** The one URL of the page. */
  readonly canonical?: string | undefined;
  /** The URL of the same text in the API. */
  readonly alternate?: string | undefined;
  /** Whether that URL also returns Markdown if `Accept` prefers it. */
  readonly asMarkdown?: boolean;
  /** BCP 47; the language of the page's own words is English. */
  readonly language?: string | undefined;
  readonly author?: string | undefined;
  /** Dates and tags for link previews. */
  readonly published?: Published | undefined;
  /** Structured data of schema.org. Browsers never run it. */
  readonly data?: object | undefined;
  /** Additional elements, such as a style of the page. */
  readonly head?: Fragment;
  /** Whether search engines should leave it out. */
  readonly noindex?: boolean;
  /** Hides navigation on private pages (confirmation, access). */
  readonly isPrivate?: boolean;
}

/** The dates and the subject of a text. */
export interface Published {
  readonly at: Date;
  readonly changed: Date;
  readonly tags: readonly string[];
}

/** The content of `<head>`. */
export function headOf(parts: HeadParts, site: SiteName, sites: Sites): Html {
  const { title, description, canonical, alternate, asMarkdown, author, data, head, noindex, isPrivate } = parts;
  const base = sites.base(site);
  const root = rootPath(site, sites);
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#fcfbf8" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#171714" media="(prefers-color-scheme: dark)" />
      <title>{title.startsWith(serviceName) ? title : `${title} · ${serviceName}`}</title>
      {description && <meta name="description" content={description} />}
      {author && <meta name="author" content={author} />}
      {noindex && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={canonical} />}
      {alternate && <link rel="alternate" type="application/json" href={alternate} />}
      {alternate && asMarkdown && <link rel="alternate" type="text/markdown" href={alternate} />}
      {!isPrivate && (
        <>
          <link rel="help" href={`${base}/for-agents?site=${site}`} />
          <link
            rel="alternate"
            type="application/atom+xml"
            title={`${serviceName} · ${siteTitles[site]}`}
            href={`${base}/feed.xml?site=${site}`}
          />
          {toTheApi({ site, base })}
        </>
      )}
      {head}
      {!noindex && canonical && preview(parts, canonical, base)}
      <link rel="icon" type="image/svg+xml" href={`${root}${assetPath('icon')}`} />
      <link rel="apple-touch-icon" href={`${root}${pictures.touchIcon.path}`} />
      <link rel="stylesheet" href={`${root}${assetPath('style')}`} />
      {data && <script type="application/ld+json">{escapedJson(data)}</script>}
    </>
  );
}

/** The path of the site on the current host, which may differ from the host of its public URL. */
export function rootPath(site: SiteName, sites: Sites): string {
  return new URL(sites.base(site)).pathname.replace(/\/$/, '');
}

function toTheApi(at: { site: SiteName; base: string }): Fragment {
  return serviceLinks(at).map(({ rel, href, type, title }) => <link rel={rel} href={href} type={type} title={title} />);
}

function preview({ title, description, published, language }: HeadParts, url: string, base: string): Html {
  const property = (name: string, content: string): Html => <meta property={name} content={content} />;
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
        property('article:published_time', timestamp(published.at)),
        property('article:modified_time', timestamp(published.changed)),
        ...published.tags.map((tag) => property('article:tag', tag)),
      ]}
      <meta name="twitter:card" content="summary" />
    </>
  );
}

/** A language in the form that link previews expect: with a country. */
function localeOf(language: string | undefined): string {
  try {
    const { language: name, region } = new Intl.Locale(languageTag(language) ?? 'en').maximize();
    return `${name}_${region ?? 'US'}`;
  } catch {
    return 'en_US';
  }
}

// Escapes every character that could end the script element.
function escapedJson(data: object): Html {
  return trusted(
    JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}
