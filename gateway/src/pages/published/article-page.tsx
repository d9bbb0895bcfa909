import type { Article, ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { presentArticle } from '../../present/article.js';
import { serviceName } from '../../protocol/service-words.js';
import { fromWireSite, type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { dayElement } from '../parts/dates.js';
import type { Html } from '../parts/html.js';
import { inLanguage, languageTag } from '../parts/language.js';
import { page, pageUrl } from '../parts/layout.js';
import type { RenderMarkdown, TextHeading } from '../parts/markdown.js';
import { type ArticleEntry as ArticleEntryShown, joinWithDots, lastChangeOf, readingTime } from './entries.js';

/** The articles that were published directly after and before this one. */
export interface AdjacentArticles {
  readonly newer?: ArticleLink;
  readonly older?: ArticleLink;
}

type ArticleLink = Pick<ArticleEntryShown, 'title' | 'human_url' | 'language'>;

export function articlePage(
  article: Article,
  adjacent: AdjacentArticles,
  sites: Sites,
  markdown: RenderMarkdown,
): string {
  const site = fromWireSite((article.entry as ArticleEntry).site);
  const shown = presentArticle(article, sites);
  const { title, summary, author, tags, language, word_count, api_url, human_url, related } = shown;
  const published = new Date(shown.published_at);
  const updated = new Date(lastChangeOf(shown));
  const changed = updated.getTime() - published.getTime() > dayMs;
  const text = markdown(shown.body);
  const main = (
    <>
      <article>
        <header>
          <p class="kicker" lang="en">
            <a href={pageUrl('/articles', site, sites)}>Articles on {siteTitles[site]}</a>
          </p>
          <h1 dir="auto">{title}</h1>
          <p class="lede" dir="auto">
            {summary}
          </p>
          <p class="byline" lang="en">
            {joinWithDots([
              <a href={`${pageUrl('/articles', site, sites)}&author=${encodeURIComponent(author)}`}>
                <bdi>{author}</bdi>
              </a>,
              dayElement(published),
              changed ? <>updated {dayElement(updated)}</> : undefined,
              readingTime(word_count),
              inLanguage(language),
              ...otherFacts(shown),
            ])}
          </p>
        </header>
        {text.headings.length >= 4 && contentsOf(text.headings)}
        <div class="text" dir="auto">
          {text}
        </div>
      </article>
      <div class="rail" lang="en">
        {tags.length > 0 && tagList(tags, site, sites)}
        {apiLinkSection('article', api_url)}
      </div>
      <div class="onward" lang="en">
        {related.length > 0 && (
          <section aria-labelledby="related">
            <h2 id="related">Read on</h2>
            <ul class="plain">
              {related.map((other) => (
                <li lang="" dir="auto">
                  <a href={`${sites.base(site)}/articles/${encodeURIComponent(other.slug)}?site=${site}`}>
                    {other.title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        {adjacentLinks(adjacent)}
      </div>
    </>
  );
  return page(
    {
      site,
      title,
      description: summary,
      language,
      canonical: human_url,
      alternate: api_url,
      asMarkdown: true,
      author,
      published: { at: published, changed: changed ? updated : published, tags },
      data: {
        '@context': 'https://schema.org',
        '@type': 'Article',
        headline: title,
        description: summary,
        author: { '@type': 'Person', name: author },
        datePublished: shown.published_at,
        dateModified: changed ? shown.updated_at : shown.published_at,
        inLanguage: language,
        keywords: tags,
        wordCount: word_count,
        url: human_url,
        mainEntityOfPage: human_url,
        publisher: { '@type': 'Organization', name: serviceName },
      },
      main,
    },
    sites,
  );
}

// Shows a field that has no place of its own on the page, with its name.
function otherFacts(shown: ReturnType<typeof presentArticle>): string[] {
  return Object.entries(shown)
    .filter(([name, value]) => !placedFields.has(name) && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`);
}

function contentsOf(headings: readonly TextHeading[]): Html {
  return (
    <nav class="toc" aria-labelledby="toc">
      <h2 id="toc" lang="en">
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

function adjacentLinks({ newer, older }: AdjacentArticles): Html | undefined {
  const link = (words: string, to: ArticleLink | undefined, rel: 'prev' | 'next'): Html | undefined =>
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

/** A section with the link to the same text in the API. */
export function apiLinkSection(what: string, apiUrl: string): Html {
  return (
    <section aria-labelledby="for-agents">
      <h2 id="for-agents">For agents</h2>
      <p>
        <a href={apiUrl}>This {what} through the API</a>
      </p>
    </section>
  );
}

function tagList(tags: readonly string[], site: SiteName, sites: Sites): Html {
  const url = pageUrl('/articles', site, sites);
  return (
    <section aria-labelledby="tags">
      <h2 id="tags">Tags</h2>
      <ul class="tags">
        {tags.map((tag) => (
          <li>
            <a href={`${url}&tag=${encodeURIComponent(tag)}`}>{tag}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const dayMs = 86_400_000;

/** Fields with a place of their own on the page, or that only agents need. */
const placedFields: ReadonlySet<string> = new Set<keyof ReturnType<typeof presentArticle>>([
  ...(['slug', 'title', 'summary', 'tags', 'author', 'language', 'published_at', 'updated_at', 'word_count'] as const),
  ...(['revision', 'api_url', 'human_url', 'source', 'body', 'body_format', 'related'] as const),
]);
