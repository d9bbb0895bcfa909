import type { Prompt } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { unlessNotFound } from '@knowledge/runtime';
import { publicTypes } from '@knowledge/runtime/product';
import type { Static } from 'typebox';
import type { Content, IndexQuery } from '../../api/content.js';
import type { Gateway } from '../../api/gateway.js';
import type { CatalogQuery } from '../../api/searches.js';
import { rejectInCallersTerms } from '../../http/error-handler.js';
import type { ObjectSchema } from '../../protocol/objects.js';
import type { CallContext } from '../../upstream/calls.js';
import { type SiteName, toWireSite } from '../../upstream/sites.js';
import type { ArticleEntry, Highlight, ObjectEntry } from './entries.js';

/** A published object that answers a prompt. */
export type Reply = Static<typeof ObjectSchema>;

export interface PromptList {
  readonly prompts: readonly Prompt[];
  /** The cursor of the next list page; empty at the end. */
  readonly cursor: string;
}

type Limited<Query extends { site: SiteName; limit: number }> = Partial<Query> & Pick<Query, 'site' | 'limit'>;

const promptsAPage = 10;
const latestReplies = 20;

/** How long a page waits for its prompts. A page without them is better than a late one. */
const promptPatienceMs = 1_000;

/** The lists that pages show, parsed from the same cached responses that agents get. */
export type Listings = ReturnType<typeof createListings>;

export function createListings({ content, clients }: Pick<Gateway, 'content' | 'clients'>) {
  const { contributions } = clients;
  const objects = async (query: Limited<CatalogQuery>, context: CallContext) =>
    parseList<ObjectEntry>((await content.catalog({ kind: undefined, cursor: '', q: '', ...query }, context)).body);
  return {
    objects,
    /** The newest public texts of the community. */
    async community(query: Limited<CatalogQuery>, context: CallContext) {
      const lists = await Promise.all(publicTypes.map((kind) => objects({ ...query, kind }, context)));
      const newestFirst = (one: ObjectEntry, two: ObjectEntry) => (one.published_at < two.published_at ? 1 : -1);
      return lists
        .flatMap(({ entries }) => entries)
        .sort(newestFirst)
        .slice(0, query.limit);
    },
    async articles(query: Limited<IndexQuery>, context: CallContext) {
      const whole = { cursor: '', q: '', tag: '', updatedSince: undefined, ...query };
      return parseList<ArticleEntry>((await content.index(whole, context)).body);
    },
    async highlights(site: SiteName, context: CallContext) {
      return parseList<Highlight>((await content.curated(site, context)).body).entries;
    },
    /** The newest published replies to prompts, with the prompt that each answers. */
    async replies(site: SiteName, context: CallContext): Promise<readonly Reply[]> {
      const { entries } = await objects({ site, kind: 'prompt_reply', limit: latestReplies }, context);
      const found = await Promise.all(entries.map(({ id }) => replyOf(id, content, context)));
      return found.filter((reply) => reply !== undefined);
    },
    async activePrompt(site: SiteName, context: CallContext) {
      const found = contributions.getActivePrompt({ site: toWireSite(site) }, soon(context));
      return (await found.catch(unlessNotFound))?.prompt;
    },
    /** The prompts that readers may see: the active one, then the closed ones, newest first. */
    async prompts(site: SiteName, cursor: string, context: CallContext): Promise<PromptList> {
      const request = { site: toWireSite(site), pageSize: promptsAPage, pageToken: cursor };
      const page = await contributions.listPublicPrompts(request, soon(context)).catch(rejectInCallersTerms);
      return { prompts: page.prompts, cursor: page.nextPageToken };
    },
  };
}

// A reply may be withdrawn after it was listed; it is undefined then.
async function replyOf(id: string, content: Content, context: CallContext): Promise<Reply | undefined> {
  const found = await (async () => content.object(id, 'json', context))().catch(unlessNotFound);
  return found && (JSON.parse(found.body.toString()) as { object: Reply }).object;
}

function soon({ id, deadline }: CallContext) {
  return { requestId: id, deadline: Math.min(deadline, Date.now() + promptPatienceMs) };
}

/** The body of a cached list response of the API. */
export interface ListBody<Entry> {
  readonly entries: readonly Entry[];
  /** Null or absent at the end. */
  readonly next_cursor?: string | null;
  /** Null if the matches were not counted; absent in lists that never count them. */
  readonly total?: number | null;
  /** What to do next if a search finds nothing that fits; null if something fits, absent without a search. */
  readonly hint?: string | null;
}

/** Parses such a body. */
export function parseList<Entry>(body: Buffer): ListBody<Entry> {
  return JSON.parse(body.toString()) as ListBody<Entry>;
}
