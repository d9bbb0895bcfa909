import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { Html } from '@knowledge/runtime/html';
import { presentEntry } from '../../article/article-fields.js';
import { articleMarkdown } from '../../export/article-markdown.js';
import { shownText, textPreview } from '../layout/text-preview.js';

/** An article as people, models and programs get it. */
export function preview(entry: ArticleEntry, body: string): Html {
  return textPreview({
    about: `${entry.wordCount} words, about ${entry.readingTokens} tokens.`,
    page: shownText(entry, body),
    markdown: articleMarkdown({ entry, body }),
    json: { ...presentEntry(entry), body, body_format: 'markdown' },
  });
}
