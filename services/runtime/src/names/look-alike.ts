import unhomoglyph from 'unhomoglyph';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/**
 * Returns two forms of a text; texts that look alike have equal forms. The forms are lower-case skeletons of Unicode
 * TR39. Two are needed, since a foreign letter may look like a Latin one only as a capital (т, Т) or only as a small
 * letter (ν, Ν).
 */
export function lookAlikes(text: string): readonly string[] {
  const shown = withoutHiddenCharacters(text.normalize('NFKC')).replace(/\u00ad/g, '');
  return [shown, shown.toUpperCase()].map(skeleton);
}

function skeleton(text: string): string {
  // The first call maps the capital letters, and the second one maps their small letters.
  const small = unhomoglyph(unhomoglyph(text).toLowerCase()).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return small.replace(/[l134578$@]/g, (character) => readAs[character] ?? character);
}

// TR39 maps 0 to o. People also read these other digits and signs as letters. I, l and 1 become the same letter.
const readAs: Readonly<Record<string, string>> = {
  l: 'i',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  $: 's',
  '@': 'a',
};
