import { primaryLanguage } from '../analysis/stem.js';
import { nameWords, type SearchFilter } from '../filter.js';
import { ownScores } from '../index/prepare.js';
import type { AskedWord, Way } from '../query/asked-word.js';

const fields = Object.entries({ whole: 1, ...ownScores });
/** A cluster refuses a query of more than 1,024 parts. */
const mostWays = 300;

/** The query for texts that have words of a query. As in memory, a word counts in each field in the best of its ways. */
export function scoringQuery(words: readonly AskedWord[], filter: SearchFilter): object {
  const most = Math.ceil(mostWays / words.length);
  // A word that no text has is left out.
  const should = words
    .filter(({ ways }) => ways.length > 0)
    .flatMap(({ ways, weight }) =>
      fields.map(([field, share]) => ({
        dis_max: { queries: ways.slice(0, most).map((way) => wayQuery(field, way)), boost: weight * share },
      })),
    );
  const query = { bool: { should, minimum_should_match: 1, filter: filtersOf(filter) } };
  return { function_score: { query, field_value_factor: { field: 'worth' } } };
}

function wayQuery(field: string, { terms, weight, languages = [], rarities = [] }: Way): object {
  // The engine adds up how rare the words of a phrase are, where the rarest should count alone.
  const boost = (weight * Math.max(...rarities)) / rarities.reduce((sum, each) => sum + each);
  const match_phrase = { [field]: { query: terms.join(' '), slop: terms.length, boost } };
  return languages.length === 0
    ? { match_phrase }
    : { bool: { must: { match_phrase }, filter: { terms: { language: languages } } } };
}

function filtersOf({ site, kind, language = '', tag = '', author = '', updatedSince }: SearchFilter): object[] {
  const names = nameWords(author);
  const given: [unknown, object][] = [
    [site, { term: { site } }],
    [kind === 'object', { bool: { must_not: { term: { kind: 'article' } } } }],
    [kind !== 'object' && kind, { term: { kind } }],
    [language, { term: { language: primaryLanguage(language) } }],
    [tag, { term: { tags: tag } }],
    [updatedSince, { range: { updatedAt: { gte: updatedSince } } }],
    // A name without a word is nobody's.
    [
      author.trim(),
      names.length === 0 ? { match_none: {} } : { bool: { must: names.map((each) => ({ term: { names: each } })) } },
    ],
  ];
  return given.flatMap(([isGiven, query]) => (isGiven ? [query] : []));
}
