import type { Article, ArticleEntry, CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import type { Static } from 'typebox';
import type { PartSchema } from '../protocol/articles.js';
import { fromWireSite, type Sites } from '../upstream/sites.js';
import { presentArticle, presentObject } from './article.js';

/**
 * Writes an article as Markdown: YAML front matter, an empty line, then the body. The service's own words are only in
 * the front matter, so that no body can imitate them.
 */
export function articleMarkdown(article: Article, sites: Sites): string {
  return textOfArticle(article, {}, sites);
}

/** Writes a part of an article in the same form. Facts about the part end the front matter. */
export function partMarkdown(article: Article, part: Static<typeof PartSchema>, sites: Sites): string {
  return textOfArticle(article, { part }, sites);
}

function textOfArticle(article: Article, more: Readonly<Record<string, unknown>>, sites: Sites) {
  const {
    title,
    slug,
    summary,
    author,
    language,
    tags,
    body,
    body_format: _,
    notice,
    ...shown
  } = presentArticle(article, sites);
  const { human_url: canonical_url, api_url, related, ...facts } = shown;
  const site = fromWireSite((article.entry as ArticleEntry).site);
  const what = { title, slug, site, summary, author, language, tags };
  return withFrontMatter({ ...what, ...facts, canonical_url, api_url, related, notice, ...more }, body);
}

/** Writes an object as Markdown, in the same form as an article. */
export function objectMarkdown(object: CommunityObject, sites: Sites): string {
  const { id, kind, title, summary, site, author, language, prompt, ...shown } = presentObject(object, sites);
  const { human_url: canonical_url, api_url, body, body_format: _, notice, ...facts } = shown;
  const what = { title, id, kind, site, summary, author, language, ...(prompt && { prompt }) };
  return withFrontMatter({ ...what, ...facts, canonical_url, api_url, notice }, body);
}

function withFrontMatter(fields: Readonly<Record<string, unknown>>, body: string) {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${yamlValue(value)}\n`);
  return `---\n${lines.join('')}---\n\n${body}\n`;
}

// JSON is valid YAML, but YAML 1.1 reads some characters as line ends or forbids them. Those are escaped.
function yamlValue(value: unknown) {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
