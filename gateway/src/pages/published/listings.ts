import type { Prompt } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { hasCode } from '@knowledge/runtime';
import type { Static, TSchema } from 'typebox';
import type { CatalogQuery, Content, IndexQuery } from '../../api/content.js';
import type { Gateway } from '../../api/gateway.js';
import { rejectInCallersTerms } from '../../http/envelope.js';
import type { ArticleListSchema, HighlightSchema, ObjectListSchema, ObjectSchema } from '../../protocol/schemas.js';
import type { CallContext } from '../../upstream/call-context.js';
import { type SiteName, toWireSite } from '../../upstream/sites.js';

/** The lists that pages show, parsed from the same cached responses that agents get. */
export interface Listings {
  articles(query: Partial<IndexQuery> & Pick<IndexQuery, 'site' | 'limit'>, context: CallContext): Promise<ArticleList>;
  highlights(site: SiteName, context: CallContext): Promise<readonly Highlight[]>;
  objects(
    query: Partial<CatalogQuery> & Pick<CatalogQuery, 'site' | 'limit'>,
    context: CallContext,
  ): Promise<ObjectList>;
  /** The newest published replies to prompts, with the prompt that each answers. */
  replies(site: SiteName, context: CallContext): Promise<readonly Reply[]>;
  activePrompt(site: SiteName, context: CallContext): Promise<Prompt | undefined>;
  /** The prompts that readers may see: the active one, then the closed ones, newest first. */
  prompts(site: SiteName, cursor: string, context: CallContext): Promise<PromptList>;
}

export type ArticleList = Static<typeof ArticleListSchema>;
export type ObjectList = Static<typeof ObjectListSchema>;
export interface PromptList {
  readonly prompts: readonly Prompt[];
  /** The cursor of the next list page; empty at the end. */
  readonly cursor: string;
}

/** An article that the editors chose. */
export type Highlight = Static<typeof HighlightSchema>;

/** A published object that answers a prompt. */
export type Reply = Static<typeof ObjectSchema>;

const promptsAPage = 10;
const latestReplies = 20;

/** How long a page waits for its prompts. A page without them is better than a late one. */
const promptPatienceMs = 1_000;

export function createListings({ content, clients }: Pick<Gateway, 'content' | 'clients'>): Listings {
  const objects: Listings['objects'] = async (query, context) =>
    parsed<typeof ObjectListSchema>(await content.catalog({ kind: undefined, cursor: '', ...query }, context));
  return {
    objects,
    async articles(query, context) {
      const whole = { cursor: '', q: '', tag: '', updatedSince: undefined, ...query };
      return parsed<typeof ArticleListSchema>(await content.index(whole, context));
    },
    async highlights(site, context) {
      const { body } = await content.curated(site, context);
      return (JSON.parse(body.toString()) as { entries: Highlight[] }).entries;
    },
    async replies(site, context) {
      const { entries } = await objects({ site, kind: 'prompt_reply', limit: latestReplies }, context);
      const found = await Promise.all(entries.map(({ id }) => replyOf(id, content, context)));
      return found.filter((reply) => reply !== undefined);
    },
    async activePrompt(site, context) {
      try {
        const { prompt } = await clients.contributions.getActivePrompt({ site: toWireSite(site) }, soon(context));
        return prompt;
      } catch (error) {
        if (hasCode(error, 'not_found')) return undefined;
        throw error;
      }
    },
    async prompts(site, cursor, context) {
      const request = { site: toWireSite(site), pageSize: promptsAPage, pageToken: cursor };
      const page = await clients.contributions.listPublicPrompts(request, soon(context)).catch(rejectInCallersTerms);
      return { prompts: page.prompts, cursor: page.nextPageToken };
    },
  };
}

// Undefined for a reply that was withdrawn after it was listed.
async function replyOf(id: string, content: Content, context: CallContext): Promise<Reply | undefined> {
  try {
    const { body } = await content.object(id, 'json', context);
    return (JSON.parse(body.toString()) as { object: Reply }).object;
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}

function parsed<S extends TSchema>({ body }: { body: Buffer }): Static<S> {
  return JSON.parse(body.toString()) as Static<S>;
}

function soon({ id, deadline }: CallContext) {
  return { requestId: id, deadline: Math.min(deadline, Date.now() + promptPatienceMs) };
}
