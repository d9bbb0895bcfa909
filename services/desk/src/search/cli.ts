import {
  type SearchFacet,
  SearchField,
  type SearchHit,
  type SearchRequest,
  type SearchResponse,
  SearchServiceService,
} from '@knowledge/proto/knowledge/content/v1/search';
import {
  type ArticleReads,
  SearchCountServiceService,
  type SearchGap,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import { hintOf } from '@knowledge/runtime/product';
import { InvalidArgumentError } from 'commander';
import { presentEntry } from '../articles/present-article.js';
import { type Presented, presented } from '../base/presented.js';
import { callsOf } from '../base/session.js';
import { type Columns, formatTable } from '../base/table.js';
import { count, formatDetails, type Lines, type Paint, terminalSafeLine } from '../base/text.js';
import { enumWords, requireField, sites } from '../base/words.js';
import { objectKinds, presentObject } from '../objects/present.js';
import { command, group, readListPages, result } from '../terminal/command-table.js';
import { parseCount, site } from '../terminal/options.js';

const searches = callsOf('content', SearchServiceService);
const counts = callsOf('content', SearchCountServiceService);

/** The most hits that one call returns. */
const maxPageSize = 50;
const mostGaps = 200;

const gapColumns: Columns<Presented<SearchGap>> = {
  words: { value: 'words', flexible: 20 },
  readers: 'readers',
  'found nothing': 'not_found',
  'read nothing': 'not_read',
};

const readColumns: Columns<ReturnType<typeof presentReads>> = {
  site: 'site',
  slug: { value: 'slug', flexible: 20 },
  reads: 'reads',
};

/** `knowledge search …`: every team finds texts, editors and analysts see what readers search for. */
export const search = group({
  commands: {
    find: result({
      about:
        'find published articles and objects as readers find them, best first; little shows that a weak hit is about what was asked',
      takes: {
        '<word...>': 'what to find: words or a question, up to 500 characters',
        ...site('only this site (default: both)'),
        '--kind <kind>': {
          about: 'only this kind',
          choices: ['article', 'object', ...objectKinds.words],
        },
        '--language <tag>': { about: 'only texts in this language, for example de', initial: '' },
        '--tag <tag>': { about: 'only articles with this tag', initial: '' },
        '--author <name>': { about: 'only texts by this author, in any case', initial: '' },
        '--limit <n>': { about: 'show at most this many', parse: parseCount, initial: 10 },
        '--passages': 'show the best passage of each hit, and which words it has',
      },
      run: async (session, { word: words, site, kind = '', limit, language, tag, author }) => {
        const asked = { query: words.join(' '), kind, language, tag, author };
        let results: ReturnType<typeof presentResults> | undefined;
        const { items: entries } = await readListPages(
          session,
          (page) => searches(session).search({ ...asked, site: sites.toWire(site), passages: 0, ...page }),
          (page) => {
            results ??= presentResults(page, asked);
            return page.hits.map(presentHit);
          },
          { limit, maxPageSize },
        );
        return { ...results, entries };
      },
      text: (found, paint, { passages }) => formatHits(found, passages, paint),
      examples: [
        'search find how did others roll out single sign-on',
        'search find restore --kind article --language de --passages',
        'search find mfa --site org --limit 50 --json',
      ],
    }),
    gaps: command({
      about:
        'list what readers searched in the last 30 days and did not find, or did not read: the largest gaps first; only ' +
        'searches of five different readers and more in a week, in estimated numbers of readers',
      takes: { '--limit <n>': { about: 'show at most this many', parse: parseLimit, initial: 50 } },
      run: async (session, { limit }) => {
        const { gaps } = await counts(session).listSearchGaps({ limit });
        const none = 'No search of five different readers yet.';
        session.print.list(gaps.map(presented), gapColumns, { one: 'search', none, cut: true });
      },
      examples: ['search gaps', 'search gaps --limit 200 --json'],
    }),
    'most-read': command({
      about: 'list the articles that were read most in the last 30 days',
      takes: site('only articles of this site'),
      run: async (session, { site }) => {
        const { articles } = await counts(session).listMostRead({ site: sites.toWire(site), limit: 50 });
        const none = 'No article was read in the last 30 days.';
        session.print.list(articles.map(presentReads), readColumns, { one: 'article', none, cut: true });
      },
      examples: ['search most-read', 'search most-read --site io --json'],
    }),
  },
  examples: ['search find single sign-on', 'search gaps --limit 20'],
});

function parseLimit(value: string) {
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > mostGaps) throw new InvalidArgumentError(`Give a whole number from 1 to ${mostGaps}.`);
  return limit;
}

function presentReads({ site, slug, reads }: ArticleReads) {
  return { site: sites.fromWire(site), slug, reads };
}

const searchFields = enumWords(SearchField);

/** A hit with the names of the HTTP API. */
type HitView = ReturnType<typeof presentHit>;

interface ResultsView extends Partial<ReturnType<typeof presentResults>> {
  readonly entries: readonly HitView[];
}

function presentHit({ entry, score, weak, matched, snippet, gloss }: SearchHit) {
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
    gloss: gloss ?? null,
  };
}

/** What a search says beside its hits. */
function presentResults(
  found: SearchResponse,
  { query, ...filters }: Pick<SearchRequest, 'query' | 'kind' | 'language' | 'tag' | 'author'>,
) {
  const { total, facets, didYouMean, allWeak, otherSites } = found;
  return {
    total,
    facets: { language: valuesOf(facets, 'language'), tag: valuesOf(facets, 'tag'), kind: valuesOf(facets, 'kind') },
    did_you_mean: didYouMean || null,
    all_weak: allWeak || total === 0,
    hint: hintOf(query, found, filters),
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
function formatHits(results: ResultsView, withPassages: boolean, paint: Paint) {
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
    : formatTable(entries, hitColumns, paint.width, paint);
  return entries.length === 0 ? notes.join('\n') : `${paint.quiet(notes.join('\n'))}\n\n${shown}`;
}

const nameOf = (hit: HitView) => ('id' in hit ? hit.id : hit.slug);
const fitOf = ({ weak }: HitView): string => (weak ? 'weak' : '');
const fieldsOf = ({ matched }: HitView) =>
  searchFields.words.filter((field) => matched.some(({ fields }) => fields.includes(field))).join(', ');

const hitColumns: Columns<HitView> = {
  kind: 'kind',
  site: 'site',
  fit: { value: fitOf, dropPriority: 2 },
  title: { value: 'title', flexible: 24 },
  'found in': { value: fieldsOf, flexible: true, dropPriority: 1 },
  'slug or id': { value: nameOf, neverCut: true },
};

function formatHit(hit: HitView, paint: Paint) {
  const { title, kind, site } = hit;
  const lines: Lines<HitView> = { [`${kind} on ${site}`]: nameOf, ...hitLines };
  return `${paint.heading(terminalSafeLine(title))}\n${formatDetails(hit, lines, paint)}`;
}

const hitLines: Lines<HitView> = {
  fit: fitOf,
  author: 'author',
  'in English': ({ gloss }) => gloss?.title,
  found: ({ matched }) =>
    matched.map(({ word, found, fields }) => `${word}: ${found.join(', ')} (${fields.join(', ')})`).join('; '),
  below: ({ snippet }) => snippet?.heading,
  passage: ({ snippet }) => snippet?.text,
};
