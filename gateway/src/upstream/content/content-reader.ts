import type {
  Article,
  CommunityObject,
  GetArticlesItem,
  GetArticlesResult,
} from '@knowledge/proto/knowledge/content/v1/content';
import { createBatcher, KnowledgeError, remainingMs } from '@knowledge/runtime';
import { fromStatus } from '@knowledge/runtime/grpc';
import { batchCallOptions, type CallContext, callOptions } from '../call-context.js';
import type { Clients } from '../clients.js';
import { type SiteName, toWireSite } from '../sites.js';

/** Reads single articles and objects from the content service. */
export interface ContentReader {
  /** Throws not_found. */
  readArticle(site: SiteName, slug: string, call: CallContext): Promise<Article>;
  /** Throws not_found. */
  readObject(id: string, call: CallContext): Promise<CommunityObject>;
  close(): void;
}

/** Makes the reader; articles that are requested at the same time travel in batches. */
export function createContentReader(client: Clients['content']): ContentReader {
  const articles = createBatcher<GetArticlesItem, GetArticlesResult>({
    send: async (items, { deadline, signal }) => {
      return (await client.getArticles({ items }, { ...batchCallOptions(items), deadline, signal })).results;
    },
    maxItems: 64,
    maxBytes: 256 * 1024,
    maxInFlight: 2,
    repeatable: true,
  });

  const readArticle = async (site: SiteName, slug: string, call: CallContext): Promise<Article> => {
    const { id, deadline, traceparent = '' } = call;
    const context = { requestId: id, traceparent, timeout: duration(remainingMs(deadline)) };
    const { outcome } = await articles.add({ context, site: toWireSite(site), slug }, { deadline });
    switch (outcome?.$case) {
      case 'article':
        return outcome.value;
      case 'error': {
        const error = fromStatus(outcome.value);
        // The batch was full. The first item of a batch always fits, so trying again comes to an end.
        if (error.metadata?.['batch'] === 'full') return readArticle(site, slug, call);
        throw error;
      }
      case undefined:
        throw new KnowledgeError('internal_error', 'An item came back without an answer.');
    }
  };

  const readObject = async (id: string, call: CallContext): Promise<CommunityObject> => {
    const { object } = await client.getObject({ id }, callOptions(call));
    return object ?? missing('object');
  };

  return { readArticle, readObject, close: () => articles.close() };
}

/** What can be missing. */
export type ContentKind = 'article' | 'object' | 'page';

/** Throws not_found for something that is not published. */
export function missing(what: ContentKind): never {
  const where =
    what === 'article' ? 'See /api/v1/content for the index.' : 'See /api/v1/objects/catalog for the catalog.';
  throw new KnowledgeError('not_found', `No published ${what} has this name. ${where}`);
}

function duration(ms: number): { seconds: number; nanos: number } {
  const whole = Math.floor(ms / 1000);
  return { seconds: whole, nanos: Math.round((ms - whole * 1000) * 1e6) };
}
