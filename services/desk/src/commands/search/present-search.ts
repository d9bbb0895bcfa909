import {
  type SearchFacet,
  SearchField,
  type SearchHit,
  type SearchRequest,
  type SearchResponse,
} from '@knowledge/proto/knowledge/content/v1/search';
import { searchHint } from '@knowledge/runtime/product';
import { presentEntry } from '../../article/article-fields.js';
import { presentObject } from '../../present/object.js';
import { requireField } from '../../present/require-field.js';
import { count } from '../../print/count.js';
import { formatDetails } from '../../print/details.js';
import { type Paint, plain } from '../../print/paint.js';
import { type Column, formatTable } from '../../print/table.js';
import { terminalSafeLine } from '../../print/terminal-safe.js';
import { enumWords, sites } from '../../words.js';

const searchFields = enumWords(SearchField);

/** A hit with the names of the HTTP API. */
export type HitView = ReturnType<typeof presentHit>;

export interface ResultsView extends Partial<ReturnType<typeof presentResults>> {
  readonly entries: readonly HitView[];
}

export function presentHit({ entry, score, weak, matched, snippet, gloss }: SearchHit) {
  const found = requireField(entry);
  const text =
    found.$case === 'article' ? { kind: 'article', ...presentEntry(found.value) } : presentObject(found.value);
  return {
    ...text,
    score: Math.round(score * 10_000) / 10_000,
    weak,
    matched: matched.map(({ word, found: forms, fields }) => ({
      word,
      found: forms,
      fields: fields.map(searchFields.fromWire),
    })),
    snippet: snippet === undefined ? null : { text: snippet.text, heading: snippet.heading || null },
    gloss: gloss === undefined ? null : { title: gloss.title, summary: gloss.summary },
  };
}

/** What a search says beside its hits. */
export function presentResults(
  { total, facets, didYouMean, noWords, allWeak, otherSites }: SearchResponse,
  { query, ...filters }: Pick<SearchRequest, 'query' | 'kind' | 'language' | 'tag' | 'author'>,
) {
  const set = Object.entries(filters).flatMap(([name, value]) => (value === '' ? [] : [name]));
  return {
    total,
    facets: { language: valuesOf(facets, 'language'), tag: valuesOf(facets, 'tag'), kind: valuesOf(facets, 'kind') },
    did_you_mean: didYouMean || null,
    hint: searchHint({
      query,
      total,
      noWords,
      allWeak,
      filters: set,
      hasSpelling: didYouMean !== '',
      isElsewhere: otherSites.some((other) => other.total > 0),
    }),
    other_sites: otherSites.map(({ site, total: hits }) => ({ site: sites.fromWire(site), total: hits })),
  };
}

function valuesOf(facets: readonly SearchFacet[], field: string) {
  return (facets.find((facet) => facet.field === field)?.values ?? []).map(({ value, count: hits }) => ({
    value,
    count: hits,
  }));
}

/** Formats hits as a table, or with their passages one below the other. */
export function formatHits(results: ResultsView, withPassages: boolean, paint: Paint = plain): string {
  const { entries, total = entries.length, did_you_mean: better = null, hint = null } = results;
  const { other_sites: others = [] } = results;
  const notes = [
    ...(total === 0 ? [] : [`${entries.length} of ${count(total, 'hit')}`]),
    ...(hint === null ? [] : [hint]),
    ...(better === null ? [] : [`Did you mean: ${terminalSafeLine(better)}`]),
    ...others
      .filter((other) => other.total > 0)
      .map(
        (other) => `${count(other.total, 'hit')} on ${other.site} that ${other.total === 1 ? 'is' : 'are'} not weak`,
      ),
  ];
  const shown = withPassages
    ? entries.map((hit) => formatHit(hit, paint)).join('\n\n')
    : formatTable(entries, columns, paint.width, paint);
  return entries.length === 0 ? notes.join('\n') : `${paint.quiet(notes.join('\n'))}\n\n${shown}`;
}

const nameOf = (hit: HitView): string => ('id' in hit ? hit.id : hit.slug);
const fitOf = ({ weak }: HitView): string => (weak ? 'weak' : '');
const fieldsOf = ({ matched }: HitView): string =>
  searchFields.words.filter((field) => matched.some(({ fields }) => fields.includes(field))).join(', ');

const columns: readonly Column<HitView>[] = [
  { header: 'kind', value: (hit) => hit.kind },
  { header: 'site', value: (hit) => hit.site },
  { header: 'fit', value: fitOf, dropPriority: 2 },
  { header: 'title', value: (hit) => hit.title, flexible: true, minWidth: 24 },
  { header: 'found in', value: fieldsOf, flexible: true, dropPriority: 1 },
  { header: 'slug or id', value: nameOf, neverCut: true },
];

function formatHit(hit: HitView, paint: Paint): string {
  const { title, kind, site, author, matched, snippet, gloss } = hit;
  const facts = [
    [`${kind} on ${site}`, nameOf(hit)],
    ['fit', fitOf(hit)],
    ['author', author],
    ['in English', gloss?.title ?? null],
    [
      'found',
      matched.map(({ word, found, fields }) => `${word}: ${found.join(', ')} (${fields.join(', ')})`).join('; '),
    ],
    ['below', snippet?.heading ?? null],
    ['passage', snippet?.text ?? null],
  ] as const;
  return `${paint.heading(terminalSafeLine(title))}\n${formatDetails(facts, paint)}`;
}
