import type { ArticleEntry } from './article.js';
import type { MatchPosition } from './listing.js';

/** A found article with its score, which decides its place in the results. */
export interface Match {
  readonly entry: ArticleEntry;
  readonly score: number;
}

/** The largest number of words that a search uses. Further words of the query are ignored. */
const maxWords = 8;

/**
 * Returns the different words of a query; a word is a run of letters and digits. Quotes and hyphens have no meaning, so
 * that a query cannot make the search read more than its words do.
 */
export function searchWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].slice(0, maxWords);
}

/**
 * Ranks articles that contain common words. A word in the title scores most, then one in a tag, then the summary, then
 * the text. The score of an article does not depend on other articles.
 */
export function rankMatches(words: readonly string[], matches: readonly (readonly ArticleEntry[])[]): Match[] {
  const scores = new Map<string, { entry: ArticleEntry; score: number }>();
  for (const [index, entries] of matches.entries()) {
    const stem = stemOf(words[index] ?? '');
    for (const entry of entries) {
      const match = scores.get(entry.slug) ?? { entry, score: 0 };
      match.score += weigh(stem, entry);
      scores.set(entry.slug, match);
    }
  }
  return [...scores.values()].sort(byRank);
}

/** Whether a match comes after a position, in the order of search results. */
export function isAfter(match: Match, position: MatchPosition): boolean {
  const { score, entry } = match;
  if (score !== position.score) return score < position.score;
  const time = timeOf(entry) - position.at.getTime();
  return time === 0 ? entry.slug > position.id : time < 0;
}

export function positionOfMatch({ score, entry }: Match): MatchPosition {
  return { score, at: new Date(timeOf(entry)), id: entry.slug };
}

function byRank(a: Match, b: Match): number {
  return isAfter(b, positionOfMatch(a)) ? -1 : 1;
}

function weigh(stem: string, { title, tags, summary }: ArticleEntry): number {
  const inTitle = title.toLowerCase().includes(stem) ? 10 : 0;
  const inTags = tags.some((tag) => tag.includes(stem)) ? 5 : 0;
  const inSummary = summary.toLowerCase().includes(stem) ? 3 : 0;
  return 1 + inTitle + inTags + inSummary;
}

// The database also finds other forms of a word. Most of them begin with this stem.
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/u, '') : word;
}

function timeOf({ publishedAt }: ArticleEntry): number {
  return publishedAt?.getTime() ?? 0;
}
