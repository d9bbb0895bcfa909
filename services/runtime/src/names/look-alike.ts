import unhomoglyph from 'unhomoglyph';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/**
 * Two forms of a text that are equal for texts that look alike: lower-case skeletons of Unicode TR39. Two are needed
 * because a foreign letter may look like ours only as a capital (т, Т) or only as a small letter (ν, Ν).
 */
export function lookAlikes(text: string): readonly string[] {
  const shown = withoutHiddenCharacters(text.normalize('NFKC')).replace(/\u00ad/g, '');
  return [shown, shown.toUpperCase()].map(skeleton);
}

function skeleton(text: string): string {
  // Applied twice: to the capital, then to its small letter.
  const small = unhomoglyph(unhomoglyph(text).toLowerCase()).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return small.replace(/[l134578$@]/g, (character) => readAs[character] ?? character);
}

// TR39 maps 0 to o; people also read these digits and signs as letters. I, l and 1 count as one letter.
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
