import type { Compounds } from '../analysis/compounds.js';
import { primaryLanguage } from '../analysis/stem.js';
import { factsOf, nameWords, type SearchFilter } from '../filter.js';
import { fieldShares, type PreparedTerms, prepare } from '../index/prepare.js';
import type { AskedWord, Way } from '../query/asked-word.js';
import type { SearchText } from '../texts/search-text.js';

/** Changes with the analysis and with the mapping, so that another release fills an index of its own. */
export const indexForm = 1;

const keyword = { type: 'keyword' };
// As many places as between two parts in the order of the words.
const words = { type: 'text', analyzer: 'whitespace', position_increment_gap: 3 };

/** The settings and fields of an index. One shard knows how frequent each word is in all texts. */
export const indexDefinition = {
  settings: {
    number_of_shards: 1,
    auto_expand_replicas: '0-1',
    refresh_interval: '500ms',
  },
  mappings: {
    dynamic: false,
    _source: { includes: ['sequence', 'languages', 'position', 'by', 'until'] },
    properties: {
      whole: words,
      title: words,
      headings: words,
      key: keyword,
      site: keyword,
      kind: keyword,
      language: keyword,
      tags: keyword,
      names: keyword,
      updatedAt: { type: 'date' },
      worth: { type: 'float' },
    },
  },
};

/** A text as the index takes it. Its words are prepared here, so the engine only splits them at spaces. */
export function documentOf(text: SearchText, compounds: Compounds) {
  const { whole, title, headings, worth } = prepare(text, compounds);
  return {
    ...factsOf(text),
    worth,
    sequence: whole.sequence.join(' '),
    whole: [...partsOf(whole), ...furtherTerms(whole)],
    title: partsOf(title),
    headings: partsOf(headings),
  };
}

function partsOf({ sequence }: PreparedTerms) {
  return sequence.join(' ').split(/ {2,}/);
}

/** What a word counts beyond the places where it stands, since a field may weigh more than one. */
function furtherTerms({ sequence, weights }: PreparedTerms) {
  return sequence.flatMap((term, at) => Array<string>(Math.max(0, (weights[at] ?? 0) - 1)).fill(term));
}

/** A cluster refuses a query of more than 1,024 parts. */
const mostWays = 300;

/** The query for texts that have words of a query. As in memory, a word counts in each field in the best of its ways. */
export function scoringQuery(words: readonly AskedWord[], filter: SearchFilter) {
  const most = Math.ceil(mostWays / words.length);
  // A word that no text has is left out.
  const known = words.filter(({ ways }) => ways.length > 0);
  const should = Object.entries(fieldShares).flatMap(([field, share]) =>
    known.map(({ ways, weight }) => {
      const queries = ways.slice(0, most).map((way) => wayQuery(field, way));
      return { dis_max: { queries, boost: weight * share } };
    }),
  );
  const query = { bool: { should, minimum_should_match: 1, filter: filtersOf(filter) } };
  return { function_score: { query, field_value_factor: { field: 'worth' } } };
}

function wayQuery(field: string, { terms, weight, rarities = [] }: Way) {
  // The engine adds up how rare the words of a phrase are, where the rarest should count alone.
  const boost = (weight * Math.max(...rarities)) / rarities.reduce((sum, each) => sum + each);
  return { match_phrase: { [field]: { query: terms.join(' '), slop: terms.length, boost } } };
}

function filtersOf({ site, kind, language = '', tag, author = '', updatedSince }: SearchFilter) {
  const terms = { site, kind: kind === 'object' ? '' : kind, language: primaryLanguage(language), tags: tag };
  const filters: object[] = nameWords(author).map((name) => ({ term: { names: name } }));
  for (const [field, value] of Object.entries(terms)) if (value) filters.push({ term: { [field]: value } });
  if (kind === 'object') filters.push({ bool: { must_not: { term: { kind: 'article' } } } });
  if (updatedSince !== undefined) filters.push({ range: { updatedAt: { gte: updatedSince } } });
  return filters;
}
