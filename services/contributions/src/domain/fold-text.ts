import { withoutHiddenCharacters } from '@knowledge/runtime';

/** Folds case, accents and compatibility forms. Hidden characters are left out, so that they separate no words. */
export function foldText(text: string): string {
  return withoutHiddenCharacters(text)
    .normalize('NFKD')
    .replace(/[\p{Mn}\u00ad]+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => plain[letter] ?? letter);
}

// Letters that Unicode does not decompose.
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
