import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';

/** Makes a request to put an article, with defaults for all other fields. */
export function articleToPut(given: Partial<PutArticleRequest> & { slug: string }): PutArticleRequest {
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
