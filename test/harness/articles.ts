import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { asTester, type System } from './system.js';

type Given = Partial<PutArticleRequest> & { slug: string };

/** Makes a request to put an article, with defaults for all other fields. */
export function articleToPut(given: Given): PutArticleRequest {
  const article: object = {
    site: Site.ORG,
    title: `About ${given.slug}`,
    summary: 'A summary of what happened.',
    tags: ['testing'],
    author: 'Ada Example',
    language: 'en',
    body: 'Once upon a time there was a rollout.\n\nIt went well.',
    publish: true,
    ...given,
  };
  return PutArticleRequest.fromPartial(article);
}

/** Publishes an article, with the defaults of `articleToPut`. */
export function putArticle({ clients }: System, given: Given) {
  return clients.editorial.putArticle(articleToPut(given), asTester());
}

/** Stores an article of org that has only a title and a body, as a draft unless `part` says otherwise. */
export function putBare({ clients }: System, slug: string, part: Partial<PutArticleRequest> = {}) {
  const request: object = { site: Site.ORG, slug, title: 'A title', body: 'A body.', ...part };
  return clients.editorial.putArticle(PutArticleRequest.fromPartial(request), asTester());
}

/** Withdraws an article of org, whatever its revision. */
export function archiveArticle({ clients }: System, slug: string) {
  return clients.editorial.archiveArticle({ site: Site.ORG, slug, expectedRevision: 0, reason: '' }, asTester());
}

/** Publishes it again. */
export function publishArticle({ clients }: System, slug: string) {
  return clients.editorial.publishArticle({ site: Site.ORG, slug, expectedRevision: 0, reason: '' }, asTester());
}

/** The record of an article of org. */
export async function articleOf({ clients }: System, slug: string) {
  return (await clients.editorial.getArticleRecord({ site: Site.ORG, slug }, asTester())).article;
}
