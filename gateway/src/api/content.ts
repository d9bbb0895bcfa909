import type { Article, CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { hasCode, type Logger } from '@knowledge/runtime';
import { inCallersTerms, strongEtag } from '../http/envelope.js';
import { presentArticle, presentEntry, presentHighlight } from '../present/article.js';
import { articleMarkdown, objectMarkdown } from '../present/markdown.js';
import { nextPage } from '../present/next-page.js';
import { type KindName, presentObject, presentObjectEntry, toProtoKind } from '../present/object.js';
import { textLinks } from '../protocol/links.js';
import { protocolVersion } from '../protocol/version.js';
import { type Asker, callFor } from '../upstream/caller.js';
import type { Clients } from '../upstream/clients.js';
import { followChanges } from '../upstream/content/feed.js';
import { createHold, type HeldName, type Rendered } from '../upstream/content/hold.js';
import { createTexts, type Kind, missing } from '../upstream/content/texts.js';
import { topics, topicsOf } from '../upstream/content/topics.js';
import { type SiteName, type Sites, toProtoSite } from '../upstream/sites.js';

/** A page of the index, as a caller asks for it. */
export interface IndexQuery {
  readonly site: SiteName;
  readonly cursor: string;
  readonly limit: number;
  readonly q: string;
  readonly tag: string;
  readonly updatedSince: Date | undefined;
}

/** A page of the catalog. */
export interface CatalogQuery {
  readonly site: SiteName;
  readonly kind: KindName | undefined;
  readonly cursor: string;
  readonly limit: number;
}

/** The forms in which a single text is sent. */
export type Form = 'json' | 'markdown';

/** An answer that exists. */
export interface Answer extends Rendered {
  readonly body: Buffer;
}

/** What is published, as bytes that are ready to send; held in memory and never older than the lease of the hold. */
export interface Content {
  /** The bytes of GET /api/v1/content/{slug}. Throws not_found. */
  article(site: SiteName, slug: string, form: Form, asker: Asker): Answer | Promise<Answer>;
  /** The bytes of GET /api/v1/content. */
  index(query: IndexQuery, asker: Asker): Answer | Promise<Answer>;
  curated(site: SiteName, asker: Asker): Answer | Promise<Answer>;
  catalog(query: CatalogQuery, asker: Asker): Answer | Promise<Answer>;
  /** The bytes of GET /api/v1/objects/{id}. Throws not_found. */
  object(id: string, form: Form, asker: Asker): Answer | Promise<Answer>;
  /** The article or object itself, for pages. Throws not_found. */
  readArticle(site: SiteName, slug: string, asker: Asker): Promise<Article>;
  readObject(id: string, asker: Asker): Promise<CommunityObject>;
  /** The answer that was given under this name, if it is still held and proven to be right. */
  proven(name: HeldName): Answer | undefined;
  /** Whether changes are being heard of, and how many answers came from memory. */
  state(): { following: boolean; hits: number; misses: number; knownUntil: number };
  close(): void;
}

/** What content needs. */
export interface ContentDeps {
  client: Clients['content'];
  sites: Sites;
  holdBytes: number;
  log: Logger;
}

/** Makes the gateway's view of what is published. */
export function createContent({ client, sites, holdBytes, log }: ContentDeps): Content {
  const feed = followChanges({
    open: () => client.watchChanges({ requestId: 'gateway-feed' }),
    onChange: (change) => hold.invalidate(topicsOf(change)),
    onLost: () => hold.clear(),
    log,
  });
  const hold = createHold(feed, holdBytes);
  const texts = createTexts(client);
  const { readArticle, readObject } = texts;

  return {
    readArticle,
    readObject,
    article(site, slug, form, asker) {
      if (!isSlug(slug)) return missing('article');
      const held = hold.get(`article:${form} ${site}/${slug}`, () =>
        orMissing([topics.article(site, slug)], async () => {
          const article = await readArticle(site, slug, asker);
          const shown = presentArticle(article, sites);
          const links = textLinks(shown);
          const depends = [
            topics.article(site, slug),
            ...(article.entry?.tags ?? []).map((tag) => topics.tag(site, tag)),
          ];
          return form === 'markdown'
            ? rendered(articleMarkdown(article, sites), depends, links)
            : render({ ok: true, site, article: shown }, depends, links);
        }),
      );
      return existing(held, 'article');
    },
    index(query, asker) {
      const { site, cursor, limit, q, tag, updatedSince } = query;
      // The free text comes last: nothing that a caller sends can make two queries share a key.
      const key = `index:${site} ${limit} ${updatedSince?.getTime() ?? ''} ${cursor.length} ${tag.length} ${cursor} ${tag} ${q}`;
      const held = hold.get(key, async () => {
        const request = { site: toProtoSite(site), pageSize: limit, pageToken: cursor, query: q, tag, updatedSince };
        const page = await client.listArticles(request, callFor(asker)).catch(inCallersTerms);
        const entries = page.entries.map((entry) => presentEntry(entry, sites));
        const parameters = { site, limit: String(limit), q, tag, updated_since: updatedSince?.toISOString() ?? '' };
        const next = nextPage(`${sites.base(site)}/api/v1/content`, parameters, page.nextPageToken);
        const head = { ok: true, api_version: protocolVersion, site, total: page.total ?? null };
        return render({ ...head, entries, ...next }, [topics.articles(site)]);
      });
      return existing(held, 'page');
    },
    curated(site, asker) {
      const held = hold.get(`curated:${site}`, async () => {
        const { highlights } = await client.listHighlights({ site: toProtoSite(site) }, callFor(asker));
        const entries = highlights.map((highlight) => presentHighlight(highlight, sites));
        const depends = [topics.articles(site), topics.highlights(site)];
        return render({ ok: true, api_version: protocolVersion, site, entries }, depends);
      });
      return existing(held, 'page');
    },
    catalog({ site, kind, cursor, limit }, asker) {
      const held = hold.get(`catalog:${site} ${kind ?? ''} ${limit} ${cursor}`, async () => {
        const request = { site: toProtoSite(site), kind: toProtoKind(kind), pageSize: limit, pageToken: cursor };
        const page = await client.listObjects(request, callFor(asker)).catch(inCallersTerms);
        const entries = page.entries.map((entry) => presentObjectEntry(entry, sites));
        const parameters = { site, kind: kind ?? '', limit: String(limit) };
        const next = nextPage(`${sites.base(site)}/api/v1/objects/catalog`, parameters, page.nextPageToken);
        const head = { ok: true, api_version: protocolVersion, site, total: page.total };
        return render({ ...head, entries, ...next }, [topics.objects(site)]);
      });
      return existing(held, 'page');
    },
    object(sent, form, asker) {
      // A malformed id is asked for like any other, so that time tells nothing (gateway/PROTOCOL.md#objects).
      const id = sent.length > maxIdLength ? malformedId : sent;
      const held = hold.get(`object:${form} ${id}`, () =>
        orMissing([topics.object(id)], async () => {
          const object = await readObject(id, asker);
          const shown = presentObject(object, sites);
          const links = textLinks(shown);
          const depends = [topics.object(id)];
          return form === 'markdown'
            ? rendered(objectMarkdown(object, sites), depends, links)
            : render({ ok: true, object: shown }, depends, links);
        }),
      );
      return existing(held, 'object');
    },
    proven(name) {
      const answer = hold.proven(name);
      return answer?.body === undefined ? undefined : (answer as Answer);
    },
    state: () => ({ following: feed.connected, hits: hold.hits, misses: hold.misses, knownUntil: feed.knownUntil }),
    close() {
      feed.close();
      texts.close();
    },
  };
}

/** Whether a path segment may be a slug; anything else is not asked for. */
function isSlug(slug: string): boolean {
  return slug.length <= 80 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug);
}

const maxIdLength = 64;
const malformedId = 'malformed';

function render(value: unknown, depends: readonly string[], links?: string): Answer {
  return rendered(JSON.stringify(value), depends, links);
}

function rendered(text: string, depends: readonly string[], links?: string): Answer {
  // Memory of its own: a small body from the shared pool would keep 8 KiB alive for as long as it is held.
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  body.write(text);
  return { body, etag: strongEtag(body), topics: depends, ...(links !== undefined && { links }) };
}

// That a thing does not exist is worth holding too, until it does.
async function orMissing(depends: readonly string[], fill: () => Promise<Rendered>): Promise<Rendered> {
  try {
    return await fill();
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    return { body: undefined, etag: '', topics: depends };
  }
}

function existing(answer: Rendered | Promise<Rendered>, what: Kind): Answer | Promise<Answer> {
  if (answer instanceof Promise) return answer.then((known) => existing(known, what));
  if (answer.body === undefined) return missing(what);
  return answer as Answer;
}
