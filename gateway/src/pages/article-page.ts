import type { Article, ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { presentArticle } from '../present/article.js';
import { fromProtoSite, type Sites } from '../sites.js';
import { day } from './dates.js';
import { html } from './html.js';
import { page } from './layout.js';
import type { RenderMarkdown } from './markdown.js';

/** An article for people. */
export function articlePage(article: Article, sites: Sites, markdown: RenderMarkdown): string {
  const site = fromProtoSite((article.entry as ArticleEntry).site);
  const shown = presentArticle(article, sites);
  const { title, summary, author, tags, language, word_count, api_url, human_url, related } = shown;
  const published = new Date(shown.published_at);
  const updated = new Date(shown.updated_at);
  const main = html`<article dir="auto">
<header>
<p class="kicker" lang="en">Article · ${site}</p>
<h1>${title}</h1>
<p class="lede">${summary}</p>
<p class="byline" lang="en">${author} · ${day(published)}${isLater(updated, published) && html` · updated ${day(updated)}`} · ${word_count} words</p>
${tags.length > 0 && html`<ul class="tags">${tags.map((tag) => html`<li>${tag}</li>`)}</ul>`}
</header>
<div class="text">
${markdown(shown.body)}
</div>
</article>
<aside>
${
  related.length > 0 &&
  html`<h2 lang="en">Read on</h2>
<ul>${related.map((other) => html`<li><a href="${sites.base(site)}/articles/${encodeURIComponent(other.slug)}?site=${site}">${other.title}</a></li>\n`)}</ul>
`
}<p class="small" lang="en">For agents: <a href="${api_url}">${api_url}</a></p>
</aside>`;
  return page(
    { site, title, description: summary, language, canonical: human_url, alternate: api_url, author, main },
    sites,
  );
}

const dayMs = 86_400_000;

function isLater(updated: Date, published: Date): boolean {
  return updated.getTime() - published.getTime() > dayMs;
}
