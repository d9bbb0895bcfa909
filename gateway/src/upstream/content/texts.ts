import type {
  Article,
  CommunityObject,
  GetArticlesItem,
  GetArticlesResult,
} from '@knowledge/proto/knowledge/content/v1/content';
import { createBatcher, KnowledgeError, remainingMs } from '@knowledge/runtime';
import { fromStatus } from '@knowledge/runtime/grpc';
import { type Asker, callFor, together } from '../caller.js';
import type { Clients } from '../clients.js';
import { type SiteName, toProtoSite } from '../sites.js';

/** Single published texts, as the content service has them. */
export interface Texts {
  /** Throws not_found. */
  readArticle(site: SiteName, slug: string, asker: Asker): Promise<Article>;
  /** Throws not_found. */
  readObject(id: string, asker: Asker): Promise<CommunityObject>;
  close(): void;
}

/** Makes the reader of single texts: articles that are asked for at the same time travel together. */
export function createTexts(client: Clients['content']): Texts {
  const articles = createBatcher<GetArticlesItem, GetArticlesResult>({
    send: async (items, { deadline, signal }) => {
      return (await client.getArticles({ items }, { ...together(items), deadline, signal })).results;
    },
    maxItems: 64,
    maxBytes: 256 * 1024,
    maxInFlight: 2,
    repeatable: true,
  });

  const readArticle = async (site: SiteName, slug: string, asker: Asker): Promise<Article> => {
    const { id, deadline, traceparent = '' } = asker;
    const context = { requestId: id, traceparent, timeout: duration(remainingMs(deadline)) };
    const { outcome } = await articles.add({ context, site: toProtoSite(site), slug }, { deadline });
    switch (outcome?.$case) {
      case 'article':
        return outcome.value;
      case 'error': {
        const error = fromStatus(outcome.value);
        // Its neighbours filled the answer; the first of a batch always fits, so asking again comes to an end.
        if (error.metadata?.['batch'] === 'full') return readArticle(site, slug, asker);
        throw error;
      }
      case undefined:
        throw new KnowledgeError('internal_error', 'An item came back without an answer.');
    }
  };

  const readObject = async (id: string, asker: Asker): Promise<CommunityObject> => {
    const { object } = await client.getObject({ id }, callFor(asker));
    return object ?? missing('object');
  };

  return { readArticle, readObject, close: () => articles.close() };
}

/** What is named where it is missing. */
export type Kind = 'article' | 'object' | 'page';

/** Fails for something that is not published. */
export function missing(what: Kind): never {
  const where =
    what === 'article' ? 'See /api/v1/content for the index.' : 'See /api/v1/objects/catalog for the catalog.';
  throw new KnowledgeError('not_found', `No published ${what} has this name. ${where}`);
}

function duration(ms: number): { seconds: number; nanos: number } {
  const whole = Math.floor(ms / 1000);
  return { seconds: whole, nanos: Math.round((ms - whole * 1000) * 1e6) };
}
