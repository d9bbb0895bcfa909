import type { AskedWord } from '../query/asked-word.js';
import type { FoundWord } from './word-places.js';

/**
 * A text is weak if little shows that it is about the query. Two rules make it strong:
 *
 * - One passage has nearly all of the query, and two of its words. A word that is twice as rare counts four times. One word is enough
 *   where the query has no other, or where it is nearly all of the query and stands in the text three times.
 * - It has more of the query than the best of all texts has by chance, and one passage has two of the words. Of a long question
 *   any long text has some words, and they may be far apart.
 *
 * For words of which editors say that they mean the same, a text with one of those needs a seventh of the query; for a whole phrase
 * it needs no more. Words that stand in texts about anything do not count.
 */
export function isWeak(words: readonly AskedWord[], found: readonly FoundWord[], score: number, texts: number) {
  const telling = found.filter(({ isCommon }) => !isCommon);
  if (isSaidByEditors(telling, words)) return false;
  const { covered, count, rare } = bestPassage(telling);
  if (covered >= nearlyAll && (count > 1 || telling.length === 1 || saysOften(telling))) return false;
  return rare < 2 || score < scoreByChance(telling, texts);
}

/**
 * Tells whether a weak text stays weak beside the best texts. With three tenths of the score of a strong one it does not.
 *
 * A query without an answer has no strong text, so it changes nothing there (services/content/src/search/DECISIONS.md).
 */
export function weakBeside(best: readonly Scored[]) {
  const strong = best.filter(({ weak }) => !weak).map(({ score }) => score);
  const enough = shareOfStrong * Math.max(...strong);
  return ({ weak, score }: Scored) => strong.length === 0 || (weak && score < enough);
}

interface Scored {
  readonly weak: boolean;
  readonly score: number;
}

const shareOfStrong = 0.3;
const nearlyAll = 0.6;
const often = 3;
const leastByEditors = 0.15;
/** How rare a word in half of the texts is. */
const inHalfOfTexts = Math.LN2;
/** The length of a passage, in words without stop words. */
const passageLength = 40;
/** How much of a word a part of a compound is. As much is a word with another letter, such as password for passport. */
const shareOfPart = 0.6;

/**
 * The score that the best of all texts may have by chance. Two parts add up like the sides of a right angle:
 *
 * - What any text has of a long question, by how many texts have its words. Words that go together come together, so a word that
 *   a ninth of the texts have counts by a third.
 * - One or two of the words, however many the query has. The best of many texts has more, by the root of the logarithm of their
 *   number.
 */
function scoreByChance(telling: readonly FoundWord[], texts: number) {
  let ofAny = 0;
  let ofBest = 0;
  for (const { weight, rarity } of telling) {
    ofAny += weight * rarity * Math.exp(-rarity / 2);
    ofBest += (weight * rarity) ** 2 / telling.length;
  }
  return Math.hypot(ofAny, chance * Math.sqrt(Math.log(texts) * ofBest));
}

const chance = 0.46;

/** What the best passage of a text has of the query: its share, its words, and the rare ones. */
function bestPassage(words: readonly FoundWord[]) {
  const all = squares(words);
  const spots = words
    .flatMap((word) => word.places.map((place) => ({ place, word })))
    .sort((one, other) => one.place - other.place);
  const last = new Map<FoundWord, number>();
  let best = { covered: 0, count: 0, rare: 0 };
  for (const { place, word } of spots) {
    last.set(word, place);
    const having = [...last].flatMap(([each, at]) => (at >= place - passageLength ? [each] : []));
    const covered = having.reduce((sum, each) => sum + shareOf(each), 0) / all;
    if (covered <= best.covered) continue;
    best = { covered, count: having.length, rare: having.filter(({ rarity }) => rarity > inHalfOfTexts).length };
  }
  return best;
}

function saysOften(words: readonly FoundWord[]) {
  const all = squares(words);
  return words.some((word) => word.places.length >= often && shareOf(word) >= nearlyAll * all);
}

function shareOf({ rarity, hows }: FoundWord) {
  const isDoubtful = [...hows].every((how) => how === 'part' || how === 'otherLetter');
  return rarity ** 2 * (isDoubtful ? shareOfPart ** 2 : 1);
}

/** Whether a text has what editors say for a phrase of the query, or for a seventh of it. */
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
