import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { dump } from 'js-yaml';
import { presentEntry } from '../article/article-fields.js';
import { requireField } from '../present/require-field.js';

/**
 * Writes an article as a Markdown file that `article import` reads without loss. The file contains the revision, so
 * that the import can detect later changes of the article. The file of a draft also contains the draft's own revision.
 */
export function articleMarkdown({ entry, body }: Pick<ArticleRecord, 'entry' | 'body'>, draftRevision = 0): string {
  const { updated_at: _, word_count: __, reading_tokens: ___, revision, ...facts } = presentEntry(requireField(entry));
  const { title, slug, site, summary, tags, author, language, ...others } = facts;
  const fields = {
    title,
    slug,
    site,
    summary,
    tags,
    author,
    language,
    ...others,
    revision,
    draft_revision: draftRevision || '',
  };
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== '' && !isEmptyList(value));
  return `---\n${dump(Object.fromEntries(present), { lineWidth: -1 })}---\n\n${body}\n`;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
