import unhomoglyph from 'unhomoglyph';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/**
 * Returns two forms of a text; texts that look alike have equal forms. The forms are lower-case skeletons of Unicode
 * TR39. Two are needed, since a foreign letter may look like a Latin one only as a capital (т, Т) or only as a small
 * letter (ν, Ν).
 */
export function lookAlikes(text: string): readonly string[] {
  const shown = withoutHiddenCharacters(text.normalize('NFKC'))
    .replace(/\u00ad/g, '')
    .replace(drawn, (letter) => plainOf(letter));
  return [shown, shown.toUpperCase()].map(skeleton);
}

/** Whether people could take one name for the other: a number at the end and signs make no difference. */
export function areAlike(one: string, other: string): boolean {
  const forms = lookAlikes(bare(one));
  return lookAlikes(bare(other)).some((form) => forms.includes(form));
}

function bare(name: string): string {
  const letters = name.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '');
  return letters.replace(/(?<=\p{L}.*)\p{N}+$/u, '');
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

// Small capitals, and letters in black circles, black squares and flags, which Unicode does not map to letters.
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((letter, at) => [letter, 'abcdefghijklmnopqrstuvwyz'[at] ?? '']),
);
const drawn = new RegExp(
  `[${[...smallCapitals.keys()].join('')}\\u{1f150}-\\u{1f169}\\u{1f170}-\\u{1f189}\\u{1f1e6}-\\u{1f1ff}]`,
  'gu',
);

function plainOf(letter: string): string {
  const point = letter.codePointAt(0) ?? 0;
  const first = [0x1f1e6, 0x1f170, 0x1f150].find((each) => point >= each) ?? point;
  return smallCapitals.get(letter) ?? String.fromCharCode(0x61 + point - first);
}

/** Whether a host name has Punycode, or a part with foreign letters that people read as Latin ones. */
export function looksLikeAnother(host: string): boolean {
  return host
    .toLowerCase()
    .split('.')
    .some((label) => {
      if (label.startsWith('xn--')) return true;
      return foreign.test(label) && lookAlikes(label).some((form) => /^[a-z0-9-]+$/.test(form));
    });
}

/** A letter that is not Latin, or a sign that no host name has. */
const foreign = /(?!\p{sc=Latin})\p{L}|[^\p{ASCII}\p{L}\p{M}\p{N}-]/u;
