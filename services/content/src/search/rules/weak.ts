import type { AskedWord } from '../query/asked-word.js';
import type { FoundWord } from './word-places.js';

/**
 * A text is weak if little shows that it is about the query. Two rules make it strong:
 *
 * - One passage has nearly all of the query. A word that is twice as rare counts four times.
 * - It has more of the query than the best of all texts has by chance, and one passage has two of the words. Of a long question
 *   any text has some words, and of a long text the words may be far apart.
 *
 * For words of which editors say that they mean the same, a text with one of those needs a fifth of the query; for a whole phrase
 * it needs no more. Words that stand in texts about anything do not count.
 *
 * Helpful hits marked weak, with `isWeakBeside`, and queries without an answer with only weak hits: CACM 0.01 0.92, LISA 0.00 0.80,
 * XQuAD de 0.10 0.90 and es 0.03 0.80, NPL 0.02 0.95, sample 0.09 0.86 (2026-11-28).
 */
export function isWeak(words: readonly AskedWord[], found: readonly FoundWord[], score: number, texts: number) {
  const telling = found.filter(({ isCommon }) => !isCommon);
  if (isSaidByEditors(telling, words)) return false;
  const { covered, count } = bestPassage(telling);
  if (covered >= nearlyAll) return false;
  return count < 2 || score < scoreByChance(telling, texts);
}

/**
 * Whether a weak text stays weak beside the best texts. With two fifths of the score of a strong one it does not.
 *
 * Helpful hits marked weak, without and with it: NPL 0.12 0.02, XQuAD de 0.12 0.10 and es 0.05 0.03, sample 0.12 0.09 (`held` 0.05). A query
 * without an answer has no strong text, so it changes nothing there (2026-11-28).
 */
export function isWeakBeside(best: readonly Scored[], { weak, score }: Scored) {
  const strong = best.filter((each) => !each.weak);
  return strong.length === 0 || (weak && score < shareOfStrong * Math.max(...strong.map((each) => each.score)));
}

interface Scored {
  readonly weak: boolean;
  readonly score: number;
}

const shareOfStrong = 0.4;
const nearlyAll = 0.6;
const leastByEditors = 0.2;
/** How rare a word in half of the texts is. */
const inHalfOfTexts = Math.LN2;
/** The length of a passage, in words without stop words. */
const passageLength = 40;
/** How much of a compound one of its parts is. */
const shareOfPart = 0.6;

/**
 * The score that the best of all texts may have by chance. It has some of the words, however many the query has, so their
 * rarities count by the root of their mean square. The best of many texts grows as the root of the logarithm of their number.
 */
function scoreByChance(telling: readonly FoundWord[], texts: number) {
  return chance * Math.sqrt((Math.log(texts) * squares(telling)) / telling.length);
}

const chance = 0.5;

/** The share of the query, and the number of its words, that the best passage of a text has. */
function bestPassage(words: readonly FoundWord[]) {
  const all = squares(words);
  const spots = words
    .flatMap((word) => word.places.map((place) => ({ place, word })))
    .sort((one, other) => one.place - other.place);
  const last = new Map<FoundWord, number>();
  let best = { covered: 0, count: 0 };
  for (const { place, word } of spots) {
    last.set(word, place);
    const having = [...last].flatMap(([each, at]) => (at >= place - passageLength ? [each] : []));
    const covered = having.reduce((sum, each) => sum + shareOf(each), 0) / all;
    if (covered > best.covered) best = { covered, count: having.filter(({ rarity }) => rarity > inHalfOfTexts).length };
  }
  return best;
}

function shareOf({ rarity, hows }: FoundWord) {
  const isPart = hows.size === 1 && hows.has('part');
  return rarity ** 2 * (isPart ? shareOfPart ** 2 : 1);
}

/** Whether a text has what editors say for a phrase of the query, or for a fifth of it. */
function isSaidByEditors(telling: readonly FoundWord[], words: readonly AskedWord[]) {
  const said = telling.filter(({ hows }) => hows.has('synonym'));
  // What stands for several words of the query is a phrase.
  const places = said.flatMap((word) => word.places);
  if (new Set(places).size < places.length) return true;
  return said.length > 0 && squares(said) >= leastByEditors * squares(words);
}

function squares(words: readonly AskedWord[]) {
  return words.reduce((sum, { rarity }) => sum + rarity ** 2, 0);
}
