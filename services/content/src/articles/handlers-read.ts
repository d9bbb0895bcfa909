import type {
  ContentServiceService,
  GetArticlesItem,
  GetArticlesResult,
} from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError, refuse } from '@knowledge/runtime';
import { type Handlers, toStatus } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { isSlug } from '../base/bounds.js';
import type { ArticleName } from './domain.js';
import { type ReadableArticle, type ReadParts, readArticles } from './read.js';
import { toWireArticle } from './wire.js';

export function articleReader(parts: ReadParts): Pick<Handlers<ContentServiceService>, 'getArticles'> {
  return {
    async getArticles({ items }, { signal, log }) {
      if (items.length > maxItems) refuse(`items must be at most ${maxItems}`);
      const names = items.map(readItem);
      const valid = names.filter((name): name is ArticleName => !(name instanceof KnowledgeError));
      try {
        return { results: toResults(items, names, await readArticles(parts, valid, signal)) };
      } catch (error) {
        log.warn({ requests: items.map(({ context }) => context?.requestId) }, 'a batch of articles could not be read');
        throw error;
      }
    },
  };
}

const maxItems = 256;
// A response must stay below the 4 MiB limit of gRPC. An article with its related ones has up to 210 kB.
const maxAnswerBytes = 3_500_000;
const overheadBytes = 4000;

function readItem({ site, slug }: GetArticlesItem): ArticleName | KnowledgeError {
  if (!isSlug(slug)) return notFound();
  try {
    return { site: requireSite(site), slug };
  } catch (error) {
    return KnowledgeError.from(error);
  }
}

function toResults(
  items: readonly GetArticlesItem[],
  names: readonly (ArticleName | KnowledgeError)[],
  found: ReadonlyMap<string, ReadableArticle>,
): GetArticlesResult[] {
  let bytes = 0;
  return names.map((name, index) => {
    const requestId = items[index]?.context?.requestId ?? '';
    if (name instanceof KnowledgeError) return failed(name, requestId);
    const article = found.get(`${name.site}/${name.slug}`);
    if (article === undefined) return failed(notFound(), requestId);
    bytes += Buffer.byteLength(article.article.body) + overheadBytes;
    if (bytes > maxAnswerBytes) return failed(batchFull(), requestId);
    return { outcome: { $case: 'article', value: toWireArticle(article) } };
  });
}

function failed(error: KnowledgeError, requestId: string): GetArticlesResult {
  return { outcome: { $case: 'error', value: toStatus(error, requestId) } };
}

function notFound() {
  return new KnowledgeError('not_found', 'There is no published article of this name.');
}

// The first articles of a batch always fit. So a caller that requests the others again always gets further.
function batchFull() {
  return new KnowledgeError('unavailable', 'The batch has no room for this article; ask for it again.', {
    metadata: { batch: 'full' },
  });
}
