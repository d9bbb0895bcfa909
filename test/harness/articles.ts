import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';

/** An article to put, with everything that a test does not care about filled in. */
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
