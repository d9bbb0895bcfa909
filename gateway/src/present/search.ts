import {
  type SearchFacet,
  SearchField,
  type SearchHit,
  type SearchMatch,
  type SearchResponse,
  type SearchSnippet,
} from '@knowledge/proto/knowledge/content/v1/search';
import { hintOf } from '@knowledge/runtime/product';
import { enumWords } from '@knowledge/runtime/wire';
import type { Static } from 'typebox';
import { briefArticleFields } from '../protocol/articles.js';
import { briefObjectFields } from '../protocol/objects.js';
import {
  type ArticleHitSchema,
  type BriefHitSchema,
  type ObjectHitSchema,
  type SearchResultsSchema,
  search,
  searchFields,
} from '../protocol/search.js';
import { protocolVersion } from '../protocol/service-words.js';
import { fromWireSite, type SiteName, type Sites } from '../upstream/sites.js';
import { inBrief, listUrl, nextPage, presentEntry, presentObjectEntry } from './article.js';

/** An article or an object that a search found. */
export type Hit = Static<typeof ArticleHitSchema> | Static<typeof ObjectHitSchema>;

/** What a search was asked for. An empty filter is not set. */
export interface SearchTerms {
  readonly site: SiteName | 'all';
  readonly q: string;
  readonly kind: string;
  readonly language: string;
  readonly tag: string;
  readonly author: string;
  readonly limit: number;
  /** How many passages an entry shows at most; 1 by default. */
  readonly passages?: number;
  readonly isBrief: boolean;
}

/** Converts the result of a search to its JSON form in the API (gateway/PROTOCOL.md#search). */
export function presentSearch(
  found: SearchResponse,
  terms: SearchTerms,
  sites: Sites,
): Static<typeof SearchResultsSchema> {
  const { isBrief, limit, passages = 1, site: asked, q, kind, language, tag, author } = terms;
  const filters = { kind, language, tag, author };
  const more = passages === 1 ? '' : String(passages);
  const parameters = {
    site: asked,
    q,
    ...filters,
    fields: isBrief ? 'brief' : '',
    passages: more,
    limit: String(limit),
  };
  const urlAt = (site: SiteName) => `${sites.base(site)}${search.path}`;
  // No site has the URL of a search over all of them, so it is that of the default site.
  const home = asked === 'all' ? sites.ofUnchecked('', undefined) : asked;
  const hits = found.hits.flatMap((hit) => presentHit(hit, sites) ?? []);
  return {
    ok: true,
    api_version: protocolVersion,
    site: asked,
    total: found.total,
    ...(isBrief ? {} : { facets: facetsOf(found.facets) }),
    did_you_mean: found.didYouMean || null,
    all_weak: found.allWeak || found.total === 0,
    hint: hintOf(q, found, filters),
    other_sites: found.otherSites.map((other) => {
      const site = fromWireSite(other.site);
      return { site, total: other.total, search_url: listUrl(urlAt(site), { ...parameters, site }) };
    }),
    entries: isBrief ? hits.map((hit) => briefHit(hit, passages > 1)) : hits,
    ...nextPage(urlAt(home), parameters, found.nextPageToken),
  };
}

function presentHit(hit: SearchHit, sites: Sites): Hit | undefined {
  const { entry, score, weak, matched, snippet, morePassages, gloss } = hit;
  const facts = {
    score: presentScore(score),
    weak,
    matched: matched.map(presentMatch),
    snippet: snippet === undefined ? null : presentPassage(snippet),
    ...(morePassages.length === 0 ? {} : { more_passages: morePassages.map(presentPassage) }),
    gloss: gloss === undefined ? null : { title: gloss.title, summary: gloss.summary },
  };
  switch (entry?.$case) {
    case 'article':
      return { kind: 'article', site: fromWireSite(entry.value.site), ...presentEntry(entry.value, sites), ...facts };
    case 'object':
      return { ...presentObjectEntry(entry.value, sites), ...facts };
    case undefined:
      return undefined;
  }
}

function presentPassage({ text, heading }: SearchSnippet) {
  return { text, heading: heading || null };
}

/** Says how well an entry of a listing fits `q`. It is absent without `q`. */
export function presentFit(fit: Pick<SearchHit, 'score' | 'weak'> | undefined, isBrief: boolean) {
  if (fit === undefined) return {};
  return isBrief ? { weak: fit.weak } : { score: presentScore(fit.score), weak: fit.weak };
}

function presentScore(score: number) {
  return Math.round(score * 10_000) / 10_000;
}

function presentMatch({ word, found, fields }: SearchMatch) {
  return { word, found, fields: searchFields.filter((field) => fields.includes(toWireField(field))) };
}

const { toWire: toWireField } = enumWords('field', SearchField);

function facetsOf(facets: readonly SearchFacet[]) {
  return {
    language: valuesOf(facets, 'language'),
    tag: valuesOf(facets, 'tag'),
    kind: valuesOf(facets, 'kind'),
  };
}

function valuesOf(facets: readonly SearchFacet[], field: string) {
  const values = facets.find((facet) => facet.field === field)?.values ?? [];
  // Objects whose language nobody knows have no value.
  return values.flatMap(({ value, count }) => (value === '' ? [] : [{ value, count }]));
}

function briefHit(hit: Hit, showsPassages: boolean): Static<typeof BriefHitSchema> {
  const { kind, site, score, weak, snippet, more_passages } = hit;
  const entry = hit.kind === 'article' ? inBrief(hit, briefArticleFields) : inBrief(hit, briefObjectFields);
  const passages = showsPassages ? { snippet, ...(more_passages && { more_passages }) } : {};
  return { ...entry, kind, site, score, weak, ...passages };
}
