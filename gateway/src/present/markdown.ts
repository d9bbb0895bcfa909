import type { Article, ArticleEntry, CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { contentNotice } from '../protocol/schemas.js';
import { fromWireSite, type Sites } from '../upstream/sites.js';
import { presentArticle } from './article.js';
import { presentObject } from './object.js';

/**
 * Writes an article as Markdown: YAML front matter, an empty line, then the body. The service's own words are only in
 * the front matter, so that no body can imitate them.
 */
export function articleMarkdown(article: Article, sites: Sites): string {
  const {
    title,
    slug,
    summary,
    author,
    language,
    tags,
    body,
    body_format: _,
    ...shown
  } = presentArticle(article, sites);
  const { human_url: canonical_url, api_url, related, ...facts } = shown;
  const site = fromWireSite((article.entry as ArticleEntry).site);
  const what = { title, slug, site, summary, author, language, tags };
  return withFrontMatter({ ...what, ...facts, canonical_url, api_url, related, notice: contentNotice }, body);
}

/** Writes an object as Markdown, in the same form as an article. */
export function objectMarkdown(object: CommunityObject, sites: Sites): string {
  const { id, kind, title, summary, site, author, language, prompt, ...shown } = presentObject(object, sites);
  const { human_url: canonical_url, api_url, body, body_format: _, ...facts } = shown;
  const what = { title, id, kind, site, summary, author, language, ...(prompt && { prompt }) };
  return withFrontMatter({ ...what, ...facts, canonical_url, api_url, notice: contentNotice }, body);
}

function withFrontMatter(fields: Readonly<Record<string, unknown>>, body: string): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${yamlValue(value)}\n`);
  return `---\n${lines.join('')}---\n\n${body}\n`;
}

// JSON is valid YAML, but YAML 1.1 reads some characters as line ends or forbids them. Those are escaped.
function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
