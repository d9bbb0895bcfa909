import { hiddenCharacters } from '@knowledge/runtime/hidden-characters';

/** A piece of a text: some characters, or one that nobody sees or that looks like another one. */
export type Segment = { readonly text: string } | { readonly code: string; readonly name: string };

/** Cuts a text at every hidden or odd character, which becomes a segment with its code and name. */
export function segmentsOf(text: string): Segment[] {
  const hidden = new Map(hiddenCharacters(text).map(({ name, at }) => [at, name]));
  const segments: Segment[] = [];
  let plain = '';
  let at = 0;
  for (const character of text) {
    at++;
    const described = hidden.get(at) ?? (odd.test(character) ? describe(character) : undefined);
    if (described === undefined) {
      plain += character;
      continue;
    }
    if (plain !== '') segments.push({ text: plain });
    // An entity stays behind what it stands for.
    plain = character === '&' ? character : '';
    const [code = '', name = ''] = described.split(/ \(|\)$/);
    segments.push({ code, name });
  }
  if (plain !== '') segments.push({ text: plain });
  return segments;
}

/** Shows each odd character of a text as `⟦U+202E⟧`; undefined if the text has none. */
export function markOddCharacters(text: string): string | undefined {
  const segments = segmentsOf(text);
  if (!segments.some((each) => 'code' in each)) return undefined;
  return segments.map((each) => ('code' in each ? `⟦${each.code}⟧` : each.text)).join('');
}

// Carriage returns, private and unassigned characters, halves of characters, and every space but the usual one.
const odd = /(?! )[\r\p{Cs}\p{Co}\p{Cn}\p{Z}]/u;

const kinds: readonly (readonly [RegExp, string])[] = [
  [/\r/, 'carriage return'],
  [/\u00a0/, 'no-break space'],
  [/\p{Cs}/u, 'half of a character'],
  [/\p{Co}/u, 'private character'],
  [/\p{Z}/u, 'unusual space'],
];

function describe(character: string) {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${hex} (${kinds.find(([pattern]) => pattern.test(character))?.[1] ?? 'unassigned character'})`;
}
