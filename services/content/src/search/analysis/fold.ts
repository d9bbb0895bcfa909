/** Writes a lower-case word without accents, so that a reader finds it without them too. */
export function fold(word: string): string {
  if (plain.test(word)) return word;
  const bare = word.normalize('NFD').replace(accents, '');
  return bare.replace(ligatures, (letter) => spelled[letter] ?? letter).normalize('NFC') || word;
}

const plain = /^[a-z0-9]*$/;
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
