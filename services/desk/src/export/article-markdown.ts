import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { dump } from 'js-yaml';
import { requireField } from '../present/require-field.js';
import { timestamp } from '../print/time.js';
import { sites } from '../words.js';

/**
 * Writes an article as a Markdown file that `article import` reads back without loss. By its revision the import detects
 * whether somebody has changed the article since.
 */
export function articleMarkdown({ entry, body }: ArticleRecord): string {
  const { site, slug, title, summary, tags, author, language, publishedAt, revision } = requireField(entry);
  const facts = { title, slug, site: sites.fromWire(site), summary, tags, author, language };
  const time = timestamp(publishedAt);
  const fields = Object.entries({ ...facts, ...(time === null ? {} : { published_at: time }), revision });
  const present = fields.filter(([, value]) => typeof value === 'number' || value.length > 0);
  return `---\n${dump(Object.fromEntries(present), { lineWidth: -1 })}---\n\n${body}\n`;
}
