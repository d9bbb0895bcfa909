import type { AskedWord } from '../query/asked-word.js';
import type { FoundWord } from './word-places.js';

/**
 * A text is weak if little shows that it is about the query.
 *
 * - It has three words of the query, or two side by side, or nearly all of it. Any long text has some words of a question by
 *   chance. Words that stand in texts about anything do not count.
 * - What it has is half of the query, or as much as one word and a quarter of it. Of a long question a text has some words
 *   only. A word that is twice as rare counts four times.
 *
 * Of words for which editors keep others, a text with one of those needs a fifth of the query; for a whole phrase it needs no more.
 */
export function isWeak(words: readonly AskedWord[], found: readonly FoundWord[]): boolean {
  const telling = words.filter(({ isCommon }) => !isCommon);
  const had = found.filter(({ places }, at) => places.length > 0 && words[at]?.isCommon === false);
  if (had.length === 0) return true;
  const bySynonym = had.filter(({ hows }) => hows.has('synonym'));
  if (standNear(bySynonym, 0) || coverage(words, found, 'synonym') >= leastBySynonym) return false;
  const covered = coverage(words, found);
  if (covered < Math.min(leastShare, leastWords / words.length)) return true;
  if (had.length >= enoughWords || had.length === telling.length) return false;
  return covered < nearlyAll && !standNear(had, sideBySide);
}

const leastShare = 0.5;
const leastWords = 1.25;
const leastBySynonym = 0.2;
const enoughWords = 3;
const nearlyAll = 0.7;
/** The distance, in words, of two words side by side. One other word may stand between them. */
const sideBySide = 2;
/** How much of a compound one of its parts is. */
const shareOfPart = 0.6;

/** The share of the query that a text has, from 0 to 1. */
function coverage(words: readonly AskedWord[], found: readonly FoundWord[], how?: 'synonym'): number {
  let covered = 0;
  let all = 0;
  for (const [at, { rarity }] of words.entries()) {
    const one = found[at];
    all += rarity ** 2;
    if (one === undefined || one.places.length === 0 || (how && !one.hows.has(how))) continue;
    covered += (one.hows.size === 1 && one.hows.has('part') ? shareOfPart * rarity : rarity) ** 2;
  }
  return all === 0 ? 0 : covered / all;
}

/** Whether two of these words stand at most this far from each other. */
function standNear(found: readonly FoundWord[], distance: number): boolean {
  const isNear = (one: FoundWord, other: FoundWord) =>
    one.places.some((place) => other.places.some((each) => Math.abs(each - place) <= distance));
  return found.some((one, at) => found.slice(at + 1).some((other) => isNear(one, other)));
}
