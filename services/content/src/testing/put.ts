import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import {
  PublishObjectRequest,
  PutArticleRequest,
  type PutObjectRequest,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { PutGlossRequest } from '@knowledge/proto/knowledge/content/v1/search';
import type { ArticleDocument } from '../articles/documents.js';

/** A valid request to put an article on org. */
export function articlePut(part: Partial<PutArticleRequest> = {}): PutArticleRequest {
  const put: object = {
    ...{ site: Site.ORG, slug: 'an-article', title: 'An article', tags: ['sso'], author: 'Ann' },
    body: 'Some **bold** words.',
    ...part,
  };
  return PutArticleRequest.fromPartial(put);
}

/** A valid request to put a knowledge object on the site `org`. */
export function objectPut(part: Partial<PutObjectRequest> = {}): PutObjectRequest {
  return {
    ...{ id: '0b6e3f0c-4d5f-4d0e-9a53-000000000001', kind: ObjectKind.KNOWLEDGE, site: Site.ORG },
    ...{ title: 'An object', summary: '', author: '', language: '', body: 'What we *know*.', publishedAt: undefined },
    ...part,
  };
}

/** A valid request to publish a contribution on org. */
export function publication(part: Partial<PublishObjectRequest> = {}): PublishObjectRequest {
  const sent: object = {
    ...{ id: '0b6e3f0c-4d5f-4d0e-9a53-000000000002', revision: 1, kind: ObjectKind.STORY, site: Site.ORG },
    ...{ title: 'A story', author: 'Ann', body: 'It went well.', publishedAt: new Date('2026-06-01T09:00:00Z') },
    ...part,
  };
  return PublishObjectRequest.fromPartial(sent);
}

/** The text of an article on org, of which editors write a gloss. */
export const articleText = (slug: string) => ({ $case: 'article' as const, value: { site: Site.ORG, slug } });

/** A request to put the gloss of a text, or to remove it. */
export function glossPut(text: PutGlossRequest['text'], title: string | undefined, part: object = {}): PutGlossRequest {
  const put: object = { text, ...(title !== undefined && { gloss: { title, summary: 'English.' } }), ...part };
  return PutGlossRequest.fromPartial(put);
}

/** Makes one of many test articles. Many have the same time of publication. All have one tag; other tags are rarer. */
export function seededArticle(index: number, part: Partial<ArticleDocument> = {}): ArticleDocument {
  const slug = `article-${String(index).padStart(6, '0')}`;
  const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 7) * 60_000);
  return {
    ...{ _id: `org/${slug}`, site: 'org', slug, state: 'published', title: `Article ${index}`, summary: '' },
    ...{ tags: ['all', `mod-${index % 10}`, `rare-${index % 1000}`], author: '', language: 'en' },
    ...{ publishedAt: at, updatedAt: new Date(at.getTime() + 1000), createdAt: at, revision: 1 },
    ...{ wordCount: 2, readingTokens: 2 },
    body: `Body ${index}`,
    ...part,
  };
}
