/** One word of a text, and where it stands. */
export interface Word {
  /** The word in lower case, with compatible characters unified. */
  readonly text: string;
  /** The place of its first character in the text. */
  readonly start: number;
  /** The place after its last character. */
  readonly end: number;
}

/** The longest word in UTF-16 units. The rest of a longer one, such as encoded data, is left out. */
export const longestWord = 64;

/**
 * Finds the words of a text: runs of letters and digits, whatever invisible characters stand among them. Numbers with separators
 * between thousands are one word.
 * French and Italian articles before an apostrophe, the English `'s`, and what stands before `n't` are left out.
 */
export function splitWords(text: string) {
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    // Most words have only letters and digits of ASCII. A regular expression finds them at a third of the speed.
    let end = at;
    let code = text.charCodeAt(at);
    let hasCapital = false;
    for (; isLetter(code) || (end > at && isDigit(code)); code = text.charCodeAt(++end)) hasCapital ||= code < smallA;
    if (end > at && !(code >= firstOther)) {
      const word = text.slice(at, Math.min(end, at + longestWord));
      if (!isElided(text, at, end)) words.push({ text: hasCapital ? word.toLowerCase() : word, start: at, end });
      at = end;
    } else if (end === at && code < firstOther && !isDigit(code)) at++;
    else {
      runs.lastIndex = at;
      const found = runs.exec(text)?.[0] ?? '';
      if (found !== '' && !isElided(text, at, at + found.length))
        for (const { segment, index } of segments(found)) {
          const unified = unify(segment);
          if (unified !== '') words.push({ text: unified, start: at + index, end: at + index + segment.length });
        }
      at += found.length || 1;
    }
  }
  return words;
}

const smallA = 0x61;
const firstOther = 0x80;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isLetter = (code: number) => (code | 0x20) >= smallA && (code | 0x20) <= 0x7a;

/** Two words with a hyphen between them as one, such as oncall; undefined for others. */
export function joined(text: string, first: Word | undefined, second: Word | undefined) {
  if (first === undefined || second === undefined || second.start !== first.end + 1) return undefined;
  return /[-\u2010\u2011]/.test(text[first.end] ?? '') ? first.text + second.text : undefined;
}

const runs =
  /(?<![\p{L}\p{N}\p{M}])\d{1,3}(?:[\s.,'’]\d{3})+(?![\p{L}\p{N}\p{M}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}]*/uy;
// Most words, which have no accents.
const plain = /^[a-z0-9]+$/;
const elided = new Set('l d qu j n s t m c jusqu lorsqu puisqu dell nell'.split(' '));
// The French données, data, has the stem don.
const negation = /^n.t(?![\p{L}\p{N}])/iu;
const apostrophes = "'’ʼ";

function isElided(text: string, start: number, end: number) {
  if (end - start > 6) return false;
  if (end < text.length && apostrophes.includes(text.charAt(end)) && /^\p{L}/u.test(text.slice(end + 1, end + 3)))
    return elided.has(text.slice(start, end).toLowerCase()) || negation.test(text.slice(end - 1, end + 3));
  return (
    end - start === 1 && start > 1 && /s/i.test(text.charAt(start)) && apostrophes.includes(text.charAt(start - 1))
  );
}

function unify(run: string) {
  const text = run.normalize('NFKC').toLowerCase();
  return text.replace(/[^\p{L}\p{N}\p{M}]+/gu, '').slice(0, longestWord);
}

// These scripts write no spaces between words.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

function segments(run: string) {
  return unspaced.test(run) ? segmenter.segment(run) : [{ segment: run, index: 0 }];
}

/** Whether a word of a text is in capitals, such as an acronym. In a text without small letters that says nothing. */
export function isAcronymIn(text: string, { start, end }: Pick<Word, 'start' | 'end'>) {
  return capitals.test(text.slice(start, end)) && (text.length === end - start || smallLetter.test(text));
}

// At least two; but the operators of other searches, and the article, are plain words in capitals too.
const capitals = /^(?!(?:AND|NOT|OR|THE)$)\p{Lu}[\p{Lu}\p{N}]+$/u;
const smallLetter = /\p{Ll}/u;

/** Whether a word ends in a capital after a small letter, such as SaaS. Its last letters are no ending. */
export function isUninflected(text: string, { start, end }: Word) {
  const last = text[end - 1] ?? '';
  return last >= 'A' && last <= 'Z' && smallLetter.test(text.slice(start, end));
}

/** Writes a lower-case word without accents, so that a reader finds it without them too. */
export function fold(word: string) {
  if (plain.test(word)) return word;
  const bare = word.normalize('NFD').replace(accents, '');
  return bare.replace(ligatures, (letter) => spelled[letter] ?? letter).normalize('NFC') || word;
}

// Only Latin, Greek and Cyrillic letters have these marks. The marks of other scripts are letters and stay.
const accents = /[\u0300-\u036f]/g;
const ligatures = /[łßæœøđðþı]/g;
const spelled: Readonly<Record<string, string>> = {
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
