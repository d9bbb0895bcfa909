import type { Article, ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { Operator } from '@knowledge/runtime';
import { dayElement, type Html, inLanguage, languageTag } from '@knowledge/runtime/html';
import { type RenderMarkdown, type TextHeading, titleDirection } from '@knowledge/runtime/markdown';
import { publishedKinds } from '@knowledge/runtime/product';
import { type KindName, presentArticle } from '../../present/article.js';
import { serviceName } from '../../protocol/service-words.js';
import { fromWireSite, type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { page, pageUrl, titledSection } from '../parts/layout.js';
import type { AdjacentArticles, ArticleLink } from './directory.js';
import { joinWithDots, linkTags, readingTime } from './entries.js';

/** What the page of an article or object needs besides its content. */
interface TextPage {
  readonly site: SiteName;
  /** The text as the API returns it. */
  readonly shown: {
    readonly title: string;
    readonly summary: string;
    readonly author: string;
    readonly published_at: string;
    readonly api_url: string;
    readonly human_url: string;
  };
  /** When it last changed, as the API returns times. */
  readonly changedAt: string;
  readonly tags: readonly string[];
  /** The language of the page; English without it. */
  readonly language?: string;
  /** Additional structured data. */
  readonly data: object;
  readonly main: Html;
}

/** The page of an article or object, with its structured data. */
export function textPage(sites: Sites, { site, shown, changedAt, tags, language, data, main }: TextPage): string {
  const { title, summary, author, published_at, api_url, human_url } = shown;
  return page(sites, {
    site,
    title,
    description: summary,
    language,
    canonical: human_url,
    alternate: api_url,
    asMarkdown: true,
    author,
    published: { at: published_at, changed: changedAt, tags },
    data: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: title,
      description: summary,
      author: author === '' ? undefined : { '@type': 'Person', name: author },
      datePublished: published_at,
      dateModified: changedAt,
      ...data,
      url: human_url,
      mainEntityOfPage: human_url,
      publisher: { '@type': 'Organization', name: serviceName },
    },
    main,
  });
}

/** A section that says who wrote a text and who read it before it appeared. */
export function originSection(kind: KindName | 'article'): Html {
  return titledSection(
    'fromTitle',
    'Where this is from',
    <p>{kind === 'article' ? fromEditors : publishedKinds[kind].origin}</p>,
  );
}

const fromEditors = 'From the editors, who wrote it or chose it.';

/** A section with the link to the same text in the API. */
export function apiLinkSection(what: string, apiUrl: string, { contact }: Operator): Html {
  return titledSection('forAgents', 'For agents', [
    <p>
      <a href={apiUrl}>This {what} through the API</a>
    </p>,
    <p>
      Something wrong in it? Your agent can report it, or <a href={contact.url}>write to us</a>.
    </p>,
  ]);
}

/** The page of an article, with links to its related articles and those published directly before and after it. */
export function articlePage(
  article: Article,
  adjacent: AdjacentArticles,
  sites: Sites,
  markdown: RenderMarkdown,
): string {
  const site = fromWireSite((article.entry as ArticleEntry).site);
  const shown = presentArticle(article, sites);
  const { title, summary, author, tags, language, published_at, word_count, api_url, related } = shown;
  const published = new Date(published_at);
  // Revision 1 of an imported article is its publication.
  const updated = new Date(shown.revision === 1 ? shown.published_at : shown.updated_at);
  const isChanged = updated.getTime() - published.getTime() > dayMs;
  const text = markdown(shown.body, { title, language });
  const main = (
    <>
      <article>
        <header>
          <p class="kicker" lang="en">
            <a href={pageUrl('/articles', site, sites)}>Articles on {siteTitles[site]}</a>
          </p>
          <h1 dir={titleDirection(title, text.direction)}>{title}</h1>
          {summary && (
            <p class="lede" dir="auto">
              {summary}
            </p>
          )}
          <p class="byline" lang="en">
            {joinWithDots([
              author !== '' && (
                <a href={pageUrl('/articles', site, sites, { author })}>
                  <bdi>{author}</bdi>
                </a>
              ),
              dayElement(published),
              isChanged && ['updated ', dayElement(updated)],
              readingTime(word_count),
              inLanguage(language),
            ])}
          </p>
        </header>
        {text.headings.length >= 4 && contentsOf(text.headings)}
        <div class="text" dir={text.direction}>
          {text}
        </div>
      </article>
      <div class="rail" lang="en">
        {tags.length > 0 && tagList(tags, site, sites)}
        {originSection('article')}
        {apiLinkSection('article', api_url, sites.operator)}
      </div>
      <div class="onward" lang="en">
        {related.length > 0 &&
          titledSection(
            'readOn',
            'Read on',
            <ul class="plain">
              {related.map((other) => (
                <li lang="" dir="auto">
                  <a href={pageUrl(`/articles/${encodeURIComponent(other.slug)}`, site, sites)}>{other.title}</a>
                </li>
              ))}
            </ul>,
          )}
        {adjacentLinks(adjacent)}
      </div>
    </>
  );
  const changedAt = isChanged ? shown.updated_at : published_at;
  const data = { inLanguage: language, keywords: tags, wordCount: word_count };
  return textPage(sites, { site, shown, changedAt, tags, language, data, main });
}

function contentsOf(headings: readonly TextHeading[]) {
  return (
    <nav class="toc" aria-labelledby="contentsTitle">
      <h2 id="contentsTitle" lang="en">
        In this article
      </h2>
      <ol>
        {headings.map(({ id, title }) => (
          <li dir="auto">
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function adjacentLinks({ newer, older }: AdjacentArticles) {
  const link = (words: string, to: ArticleLink | undefined, rel: 'prev' | 'next') =>
    to && (
      <p>
        <span class="byline">{words}</span>{' '}
        <a href={to.human_url} rel={rel} lang={languageTag(to.language) ?? ''} dir="auto">
          {to.title}
        </a>
      </p>
    );
  if (newer === undefined && older === undefined) return undefined;
  return (
    <nav class="beside" aria-label="Articles before and after this one">
      {link('Newer', newer, 'prev')}
      {link('Older', older, 'next')}
    </nav>
  );
}

function tagList(tags: readonly string[], site: SiteName, sites: Sites) {
  const links = tags.map((tag) => ({ url: pageUrl('/articles', site, sites, { tag }), content: tag }));
  return titledSection('tagsTitle', 'Tags', linkTags(links));
}

const dayMs = 86_400_000;
