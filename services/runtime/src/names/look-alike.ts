import unhomoglyph from 'unhomoglyph';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/**
 * The forms of a text that are the same for texts that look the same: the skeletons of Unicode TR39 in small letters. Two of
 * them, since a letter of another script may look like ours only as a capital (т, Т) or only as a small one (ν, Ν).
 */
export function lookAlikes(text: string): readonly string[] {
  const shown = withoutHiddenCharacters(text.normalize('NFKC')).replace(/\u00ad/g, '');
  return [shown, shown.toUpperCase()].map(skeleton);
}

function skeleton(text: string): string {
  // Twice: what a capital looks like, then its small letter.
  const small = unhomoglyph(unhomoglyph(text).toLowerCase()).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return small.replace(/[l134578$@]/g, (character) => readAs[character] ?? character);
}

// TR39 takes 0 for an o; people read these too. I, l and 1 are one letter.
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
