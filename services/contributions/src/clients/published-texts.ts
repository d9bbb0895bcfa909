import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContentServiceService, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { type SearchHit, SearchRequest, SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { type CallContext, childDeadline, closeAll, unlessNotFound } from '@knowledge/runtime';
import { type CallOptions, type ConnectOptions, connectGrpc, fromStatus } from '@knowledge/runtime/grpc';
import { areAlike, plainSpelling } from '@knowledge/runtime/names';
import { kinds } from '@knowledge/runtime/product';
import { requireSite, toWireSite } from '@knowledge/runtime/wire';
import type { Compared } from '../checks/check.js';
import { copiedShingles, type LikeText, percentIn, searchFor } from '../checks/similarity.js';
import type { Contribution } from '../domain/contribution.js';
import type { TextName } from '../domain/sent-fields.js';

const callMs = 1500;
/** How many of the texts that a search finds are compared. Each has at most 200 kB. */
const compared = 3;

/** Finds published texts, which the content service stores. */
export function connectPublishedTexts(options: ConnectOptions) {
  const shared = { ...options, callerName: 'contributions', deadlineMs: callMs };
  const content = connectGrpc(ContentServiceService, shared);
  const search = connectGrpc(SearchServiceService, shared);

  async function read({ site, kind, id }: TextName, call: CallOptions) {
    if (kind === 'object') return (await content.getObject({ id }, call)).object;
    const item = { context: undefined, site: toWireSite(site), slug: id };
    const outcome = (await content.getArticles({ items: [item] }, call)).results[0]?.outcome;
    if (outcome?.$case === 'error') throw fromStatus(outcome.value);
    return outcome?.value;
  }

  return {
    /** Finds a published text with its site and title; undefined if no such text is published. */
    async find(text: TextName, call: CallContext): Promise<Contribution['about'] | undefined> {
      const { requestId, traceparent, signal } = call;
      const until = { requestId, traceparent, signal, deadline: childDeadline(call.deadline, callMs) };
      const entry = (await read(text, until).catch(unlessNotFound))?.entry;
      return entry && { ...text, site: requireSite(entry.site), title: entry.title };
    },
    /**
     * Finds the article or object of the editors that has most of a story or reply, on both sites. Also finds one whose author has
     * its name. Other stories and replies are compared by their contributions. It is up to three searches and a few reads.
     */
    async comparePublished({ id, type, body, name }: Contribution, signal: AbortSignal): Promise<Compared> {
      if (!kinds[type].isPublic) return {};
      const call = { requestId: id, signal };
      const find = async (request: Partial<SearchRequest>) =>
        (await search.search(SearchRequest.fromPartial({ site: Site.UNSPECIFIED, pageSize: 20, ...request }), call))
          .hits;
      const names = name ? [...new Set([name, plainSpelling(name)])] : [];
      const authored = (kind: string) => names.map((each) => find({ query: each, author: each, kind }));
      try {
        const named = (await Promise.all(['article', 'knowledge'].flatMap(authored))).flat();
        const author = named.map(({ entry }) => entry?.value.author ?? '').find((each) => areAlike(each, name ?? ''));
        const shingles = copiedShingles(body);
        const query = searchFor(body);
        const hits = shingles === undefined || query === '' ? [] : await find({ query });
        let best: LikeText | undefined;
        for (const about of hits
          .map(nameOfHit)
          .filter((each) => each !== undefined)
          .slice(0, compared)) {
          const percent = percentIn((await read(about, call))?.body ?? '', shingles ?? new Set());
          if (percent > (best?.percent ?? 0)) best = { about, percent };
        }
        return { published: best, author };
      } catch (error) {
        if (signal.aborted) throw error;
        return { published: 'unknown' };
      }
    },
    close: () => closeAll([content, search]),
  };
}

function nameOfHit({ entry }: SearchHit): LikeText['about'] | undefined {
  if (entry?.$case === 'article') {
    const { site, slug, title } = entry.value;
    return { site: requireSite(site), kind: 'article', id: slug, title };
  }
  if (entry?.value.kind !== ObjectKind.KNOWLEDGE) return undefined;
  const { site, id, title } = entry.value;
  return { site: requireSite(site), kind: 'object', id, title };
}
