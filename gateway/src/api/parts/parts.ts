import { hash } from 'node:crypto';
import type { Article } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { isSlug } from '@knowledge/runtime/product';
import { LRUCache } from 'lru-cache';
import { presentArticle } from '../../present/article.js';
import { partMarkdown } from '../../present/markdown.js';
import { presentOutline, presentPart } from '../../present/part.js';
import { cutPart, type TextRange } from '../../present/text/cut-part.js';
import { layoutOf, type TextLayout } from '../../present/text/text-layout.js';
import { linkHeaderOfText } from '../../protocol/links.js';
import type { CallContext } from '../../upstream/calls.js';
import {
  type ContentReader,
  dependenciesOfArticle,
  dependency,
  throwNotPublished,
} from '../../upstream/content/content-reader.js';
import type { CacheableResponse, ResponseCache } from '../../upstream/content/response-cache.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import {
  type ContentForm,
  type ContentResponse,
  jsonResponse,
  orElsewhere,
  requirePublished,
  textResponse,
} from '../content-response.js';

/** The part of an article that a reader asks for. */
export interface PartRequest {
  readonly site: SiteName;
  readonly slug: string;
  readonly form: ContentForm;
  readonly maxTokens: number | undefined;
  readonly section: string | undefined;
  /** A read that began before; undefined for a new read. Nothing is `left` where another section is asked for. */
  readonly rest?: { readonly textId: string; readonly left: TextRange | undefined } | undefined;
}

/** A part of an article, ready to send except for its continuation, which is different for every reader. */
export interface PartResponse extends ContentResponse {
  readonly textId: string;
  /** What follows the part; undefined if nothing does. */
  readonly left: TextRange | undefined;
  /** The whole text, unless the part is all of it. */
  readonly whole: TextRange | undefined;
  /** The anchors of other sections than the one that was asked for, the first 30. */
  readonly otherSections: readonly string[];
  /** Where in the body the continuation belongs. */
  readonly continuationAt: number;
}

interface ReaderParts {
  readonly cache: ResponseCache;
  readonly readArticle: ContentReader['readArticle'];
  readonly sites: Sites;
}

/** The memory for layouts of recent texts, in bytes. Finding a layout takes milliseconds. */
const layoutBytes = 16 * 1024 * 1024;

/** Reads articles in parts (gateway/PROTOCOL.md#parts). */
export function createArticleParts({ cache, readArticle, sites }: ReaderParts) {
  const layouts = new LRUCache<string, TextLayout>({
    maxSize: layoutBytes,
    // A character may need two bytes, and each block, section and joint some more.
    sizeCalculation: ({ blocks, sections }, key) =>
      2 * key.length + blocks.reduce((sum, { joints }) => sum + 100 + 16 * joints.length, 200 * sections.length) + 1,
  });
  const layout = ({ entry, body }: Article) => {
    const key = `${JSON.stringify(entry?.title)} ${body}`;
    const known = layouts.get(key) ?? layoutOf(body, entry?.title);
    layouts.set(key, known);
    return known;
  };

  const readPart = async (request: PartRequest, context: CallContext): Promise<CacheableResponse> => {
    const { site, slug, form, maxTokens = Number.POSITIVE_INFINITY, section, rest } = request;
    const article = await readArticle(site, slug, context);
    const textId = textIdOf(article);
    const text = layout(article);
    if (rest !== undefined && hashOf(rest.textId) !== hashOf(textId)) throw changed(rest.textId, article);
    const range = rest?.left ?? rangeOf(text, section, request);
    const part = cutPart(text, range, maxTokens);
    const anchor = section === undefined ? undefined : anchorIn(text, section);
    const facts = presentPart(text, part, range, anchor);
    const isAll = part.start === 0 && part.end === article.body.length;
    const body = article.body.slice(part.start, part.end);
    const shown = { ...article, body };
    const links = linkHeaderOfText(presentArticle(article, sites));
    const dependencies = dependenciesOfArticle(article, site, slug);
    const response =
      form === 'markdown'
        ? textResponse(partMarkdown(shown, facts, sites), dependencies, links)
        : jsonResponse({ ok: true, site, article: presentArticle(shown, sites), part: facts }, dependencies, links);
    const partResponse: Omit<PartResponse, keyof ContentResponse> & CacheableResponse = {
      ...response,
      // Weak, because the continuation is not in it.
      etag: `W/${response.etag}`,
      textId,
      left: part.end < range.end ? { start: part.end, end: range.end } : undefined,
      whole: isAll ? undefined : { start: 0, end: article.body.length },
      otherSections: anchorsOf(text).filter((each) => each !== anchor),
      continuationAt: form === 'markdown' ? response.body.indexOf('\n---\n') + 1 : response.body.length - 1,
    };
    return partResponse;
  };

  return {
    /** Returns the headings of an article. Throws not_found. */
    outline(site: SiteName, slug: string, context: CallContext) {
      if (!isSlug(slug)) return throwNotPublished('article', slug);
      const dependencies = [dependency.article(site, slug)];
      const response = cache.get(`outline:${site}/${slug}`, () =>
        orElsewhere({ site, slug, under: '/outline' }, readArticle, context, async () => {
          const article = await readArticle(site, slug, context);
          return jsonResponse(presentOutline(article, layout(article), sites), dependencies);
        }),
      );
      return requirePublished(response, 'article', slug);
    },

    /**
     * Returns a part of an article. Throws not_found if there is no such article or section, and invalid_state if the
     * article has another text than the one whose rest is asked for.
     */
    async part(request: PartRequest, context: CallContext) {
      const { site, slug, form, maxTokens, section = '', rest } = request;
      if (!isSlug(slug)) return throwNotPublished('article', slug);
      const left = rest === undefined ? '' : `${rest.textId} ${rest.left?.start} ${rest.left?.end}`;
      // The anchor comes last, because it may have any characters.
      const key = `part:${form} ${site}/${slug} ${maxTokens ?? ''} ${left} ${section}`;
      const fill = () => orElsewhere({ site, slug }, readArticle, context, () => readPart(request, context));
      return (await requirePublished(cache.get(key, fill), 'article', slug)) as PartResponse;
    },
  };
}

function textIdOf({ entry, body }: Article) {
  return `${entry?.revision ?? 0}-${hash('sha256', body, 'base64url').slice(0, 12)}`;
}

// A new revision with the same text does not end a read. An article that is archived and published again has one.
function hashOf(textId: string) {
  return textId.slice(textId.indexOf('-') + 1);
}

function rangeOf(
  layout: TextLayout,
  sent: string | undefined,
  { site, slug }: Pick<PartRequest, 'site' | 'slug'>,
): TextRange {
  if (sent === undefined) return { start: 0, end: layout.text.length };
  const anchor = anchorIn(layout, sent);
  const section = layout.sections.find((each) => each.anchor === anchor);
  if (section !== undefined) return section;
  const anchors = anchorsOf(layout);
  const known = anchors.length === 0 ? 'It has no headings.' : `It has ${anchors.join(', ')}.`;
  throw new KnowledgeError(
    'not_found',
    `section: the article has no such heading. ${known} All are in /api/v1/content/${slug}/outline?site=${site}.`,
    { metadata: { what: 'section' } },
  );
}

// Accepts an anchor also as it stands in a URL, and the names that headings had before.
function anchorIn({ sections }: TextLayout, sent: string) {
  const anchor = sent.replace(/^#/, '');
  if (sections.some((each) => each.anchor === anchor)) return anchor;
  const earlier = [anchor, `text-${anchor}`];
  return sections.find(({ earlierAnchor = '' }) => earlier.includes(earlierAnchor))?.anchor ?? anchor;
}

// A message or a part names at most 30 anchors. The outline has all of them.
function anchorsOf({ sections }: TextLayout) {
  return sections.slice(0, 30).map(({ anchor }) => anchor);
}

function changed(textId: string, { entry }: Article) {
  const before = textId.split('-')[0];
  return new KnowledgeError(
    'invalid_state',
    `continuation: the article was changed since (revision ${entry?.revision}, not ${before}), so its rest does not fit what you have. A new read is needed: call without continuation; it counts again.`,
  );
}
