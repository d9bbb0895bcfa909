import type { ArticleDocument } from '../store/documents.js';

/** Makes one of many test articles. Many have the same time of publication. All have one tag; other tags are rarer. */
export function seededArticle(index: number, part: Partial<ArticleDocument> = {}): ArticleDocument {
  const slug = `article-${String(index).padStart(6, '0')}`;
  const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 7) * 60_000);
  return {
    ...{ _id: `org/${slug}`, site: 'org', slug, state: 'published', title: `Article ${index}`, summary: '' },
    ...{ tags: ['all', `mod-${index % 10}`, `rare-${index % 1000}`], author: '', language: 'en' },
    ...{ publishedAt: at, updatedAt: new Date(at.getTime() + 1000), createdAt: at, wordCount: 2, revision: 1 },
    body: `Body ${index}`,
    ...part,
  };
}
