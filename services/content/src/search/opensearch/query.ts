import { primaryLanguage } from '../analysis/stem.js';
import { nameWords, type SearchFilter } from '../filter.js';
import { fieldShares } from '../index/prepare.js';
import type { AskedWord, Way } from '../query/asked-word.js';

/** A cluster refuses a query of more than 1,024 parts. */
const mostWays = 300;

/** The query for texts that have words of a query. As in memory, a word counts in each field in the best of its ways. */
export function scoringQuery(words: readonly AskedWord[], filter: SearchFilter): object {
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

function wayQuery(field: string, { terms, weight, languages = [], rarities = [] }: Way): object {
  // The engine adds up how rare the words of a phrase are, where the rarest should count alone.
  const boost = (weight * Math.max(...rarities)) / rarities.reduce((sum, each) => sum + each);
  const match_phrase = { [field]: { query: terms.join(' '), slop: terms.length, boost } };
  return languages.length === 0
    ? { match_phrase }
    : { bool: { must: { match_phrase }, filter: { terms: { language: languages } } } };
}

function filtersOf({ site, kind, language = '', tag, author = '', updatedSince }: SearchFilter): object[] {
  const names = nameWords(author);
  const terms = { site, kind: kind === 'object' ? '' : kind, language: primaryLanguage(language), tags: tag };
  const filters: object[] = names.map((name) => ({ term: { names: name } }));
  for (const [field, value] of Object.entries(terms)) if (value) filters.push({ term: { [field]: value } });
  if (kind === 'object') filters.push({ bool: { must_not: { term: { kind: 'article' } } } });
  if (updatedSince !== undefined) filters.push({ range: { updatedAt: { gte: updatedSince } } });
  // A name without a word is nobody's.
  if (author.trim() !== '' && names.length === 0) filters.push({ match_none: {} });
  return filters;
}
