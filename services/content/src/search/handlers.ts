import {
  SearchField,
  type SearchServiceService,
  type SearchHit as WireHit,
} from '@knowledge/proto/knowledge/content/v1/search';
import {
  canonicalLanguage,
  codePoints,
  decodePageToken,
  encodePageToken,
  type PageScope,
  readPageSize,
  refuse,
  refuseFaults,
} from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import { enumWords, optionalSite, toWireSite } from '@knowledge/runtime/wire';
import { toWireEntry } from '../articles/wire.js';
import { languageFault, tagFilterFault, tagIn } from '../base/bounds.js';
import { objectKinds } from '../objects/domain.js';
import { toWireObjectEntry } from '../objects/wire.js';
import type { SearchFilter } from './filter.js';
import type { HitPosition } from './rank-texts.js';
import type { Search } from './search.js';
import type { TextKey } from './texts/search-text.js';

const { toWire: toWireField } = enumWords('field', SearchField);

/** Serves the search over articles and objects. */
export function searchHandlers(search: Search): Handlers<SearchServiceService> {
  return {
    async search(request, { signal }) {
      const { site, kind, author } = request;
      // So eng finds what en finds.
      const language = canonicalLanguage(request.language) ?? request.language;
      const tag = tagIn(request.tag);
      const filter = { site: optionalSite(site), kind: readKind(kind), language, tag, author };
      checkSearch(request.query, filter);
      const scope = ['search', filter.site ?? null, request.query, kind, language, tag, author];
      const size = readPageSize(request.pageSize, pageSizes);
      const passages = readPageSize(request.passages, passageCounts);
      const query = { query: request.query, filter, size, passages };
      const page = await search.search({ ...query, after: readHitPosition(request.pageToken, scope) }, signal);
      return {
        hits: page.hits.map(toWireHit),
        total: page.total,
        facets: page.facets.map(({ field, values }) => ({ field, values: [...values] })),
        didYouMean: page.didYouMean,
        otherSites: page.otherSites.map(({ site: other, total }) => ({ site: toWireSite(other), total })),
        nextPageToken: hitToken(page.next, scope),
        noWords: page.hasNoWords,
        allWeak: page.areAllWeak,
      };
    },
  };
}

const kinds: ReadonlySet<string> = new Set(['article', 'object', ...objectKinds]);
const pageSizes = { usual: bounds.searchSize.default, most: bounds.searchSize.max };
const passageCounts = { usual: bounds.passages.default, most: bounds.passages.max };

function readKind(kind: string) {
  if (kind !== '' && !kinds.has(kind)) {
    refuse(`kind must be ${[...kinds].join(', ')}, or empty`);
  }
  return kind === '' ? undefined : (kind as Exclude<SearchFilter['kind'], undefined>);
}

function checkSearch(query: string, { language = '', tag = '', author = '' }: SearchFilter) {
  // Spaces and invisible characters alone ask nothing.
  const isEmpty = /^[\s\p{Cc}\p{Cf}]*$/u.test(query);
  refuseFaults([
    (isEmpty || codePoints(query) > bounds.query.max) &&
      `query must have 1 to ${bounds.query.max} characters, and one that can be seen`,
    languageFault(language),
    tagFilterFault(tag),
    codePoints(author) > bounds.name.max && `author must have at most ${bounds.name.max} characters`,
  ]);
}

type Hit = Awaited<ReturnType<Search['search']>>['hits'][number];

function toWireHit({ text, score, weak, matched, passages }: Hit): WireHit {
  const [snippet, ...others] = passages;
  return {
    entry:
      text.kind === 'article'
        ? { $case: 'article', value: toWireEntry(text.entry) }
        : { $case: 'object', value: toWireObjectEntry(text.entry) },
    score,
    weak,
    matched: matched.map(({ word, found, fields }) => ({ word, found: [...found], fields: fields.map(toWireField) })),
    snippet: snippet && { ...snippet },
    morePassages: others.map((passage) => ({ ...passage })),
    readingTokens: text.entry.readingTokens,
    gloss: text.gloss,
  };
}

/**
 * Reads the token of a list page of hits; undefined for the first list page.
 *
 * @throws KnowledgeError `validation_error` as `decodePageToken`.
 */
export function readHitPosition(token: string, scope: PageScope): HitPosition | undefined {
  const key = decodePageToken(token, scope, ['number', 'string']);
  return key && { place: key[0], key: key[1] as TextKey };
}

/** Writes the token of the next list page of hits; empty at the end. */
export function hitToken(next: HitPosition | undefined, scope: PageScope): string {
  return next === undefined ? '' : encodePageToken(scope, [next.place, next.key]);
}
