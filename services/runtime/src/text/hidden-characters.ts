/** An invisible character, which can make a text look like another one, or a control that steers a terminal. */
export interface HiddenCharacter {
  /** The code point and its name, for example `U+202E (right-to-left override)`. */
  readonly name: string;
  /** Its position in the text, counted in characters from 1. */
  readonly at: number;
}

/**
 * Finds the hidden characters of a text, at most `max`, also those that are written as entities. Those that an emoji or
 * a script needs are left out.
 */
export function hiddenCharacters(text: string, max = Infinity): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  // Most texts have no hidden character, and this search is cheaper than counting.
  if (text.search(hiddenOrEntity) < 0) return found;
  let counted = { units: 0, characters: 1 };
  for (const { 0: written, 1: number, 2: name, index } of text.matchAll(hiddenOrEntity)) {
    if (found.length === max) break;
    const character = hiddenAt(text, index, written, number, name);
    if (character === undefined) continue;
    const characters = counted.characters + codePoints(text.slice(counted.units, index));
    counted = { units: index, characters };
    found.push({ name: nameOf(character), at: characters });
  }
  return found;
}

/**
 * Describes the first hidden character of a text, for a message that begins with a field name.
 * Undefined without one.
 */
export function hiddenFault(text: string): string | undefined {
  const [first] = hiddenCharacters(text, 1);
  return first === undefined ? undefined : `must not contain ${first.name} at character ${first.at}`;
}

/** Removes hidden characters, also those that are written as entities unless these are `kept`. */
export function withoutHiddenCharacters(text: string, entities?: 'kept'): string {
  if (entities === 'kept') return text.replace(hidden, '');
  return text.replace(hiddenOrEntity, (written, number?: string, name?: string, index = 0) =>
    hiddenAt(text, index, written, number, name) === undefined ? written : '',
  );
}

/** Removes every character that nobody sees, for comparisons. These are also what a script or an emoji needs, and the blank of Braille. */
export function onlySeen(text: string): string {
  return withoutHiddenCharacters(text).replace(/[\p{Default_Ignorable_Code_Point}\u2800]+/gu, '');
}

/** Whether a text has a letter, digit or symbol that can be seen. */
export function isVisible(text: string): boolean {
  return visible.test(withoutHiddenCharacters(text));
}

const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{S}]/u;

// The hidden character of a match. An entity is judged as if its character stood there.
function hiddenAt(text: string, at: number, written: string, number?: string, name = '') {
  if (!written.startsWith('&')) return written;
  const point = number === undefined ? named[name] : Number(number.toLowerCase().replace(/^x/, '0x'));
  // Numbers of controls are no entities.
  if (point === undefined || point > 0x10ffff || point < 0xa0) return undefined;
  const character = String.fromCodePoint(point);
  const before = text.slice(Math.max(0, at - 40), at);
  hiddenHere.lastIndex = before.length;
  const after = text.slice(at + written.length, at + written.length + 8);
  return hiddenHere.test(`${before}${character}${after}`) ? character : undefined;
}

/** The names of all hidden characters that have one. */
const named: Readonly<Record<string, number>> = {
  shy: 0xad,
  zwnj: 0x200c,
  zwj: 0x200d,
  lrm: 0x200e,
  rlm: 0x200f,
  NoBreak: 0x2060,
  ZeroWidthSpace: 0x200b,
  NegativeVeryThinSpace: 0x200b,
  NegativeThinSpace: 0x200b,
  NegativeMediumSpace: 0x200b,
  NegativeThickSpace: 0x200b,
  ApplyFunction: 0x2061,
  af: 0x2061,
  InvisibleTimes: 0x2062,
  it: 0x2062,
  InvisibleComma: 0x2063,
  ic: 0x2063,
};

// Scripts in which a zero-width joiner changes the form of letters.
const joining =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nko}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}';
const letterThatJoins = `(?=[${joining}])[\\p{L}\\p{M}]`;
const emoji = '\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?';

// A tag character in the flag of England, Scotland or Wales.
const inFlag = ['gbeng', 'gbsct', 'gbwls']
  .map((name) => [...name].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).concat('\\u{e007f}'))
  .flatMap((tags) =>
    tags.map((tag, at) => `(?<=\\u{1f3f4}${tags.slice(0, at).join('')})${tag}(?=${tags.slice(at + 1).join('')})`),
  )
  .join('|');

// Each alternative matches hidden characters only in places where no script or emoji needs them.
const hidden = new RegExp(
  [
    // Controls, such as the codes of terminals, but for tabs and line breaks.
    '[^\\P{Cc}\\t\\n\\r]',
    // What Unicode lets programs leave out, and annotations. Such are marks of the text direction, spaces without width,
    // soft hyphens and the variants of Han letters. Some of it has rules of its own below.
    `(?![\\u180b-\\u180d\\u180f\\u200c\\u200d\\ufe0e\\ufe0f])(?!${inFlag})\\p{Default_Ignorable_Code_Point}`,
    '[\\ufff9-\\ufffb]',
    // Zero-width joiners and non-joiners, except between letters or emoji that need them.
    `(?<!${letterThatJoins})(?<!${emoji})[\\u200c\\u200d]`,
    `(?<=${letterThatJoins})[\\u200c\\u200d](?!${letterThatJoins})`,
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)(?:\\u200c|\\u200d(?!\\p{Extended_Pictographic}))',
    // Variation selectors, except after an emoji, in a keycap, and after a Mongolian letter.
    '(?<!\\p{Extended_Pictographic})(?!(?<=[0-9#*])\\ufe0f\\u20e3)[\\ufe0e\\ufe0f]',
    '(?<!\\p{sc=Mong})[\\u180b-\\u180d\\u180f]',
  ].join('|'),
  'gu',
);

const hiddenHere = new RegExp(hidden.source, 'uy');
const hiddenOrEntity = new RegExp(
  `${hidden.source}|&(?:#([xX][0-9a-fA-F]{1,6}|[0-9]{1,7})|(${Object.keys(named).join('|')}));`,
  'gu',
);

const names: Readonly<Record<number, string>> = {
  173: 'soft hyphen',
  1564: 'Arabic letter mark',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'zero-width no-break space',
};

/** The code point of a character, and its name if it is hidden. */
export function nameOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16).toUpperCase().padStart(4, '0');
  return `U+${hex} (${names[point] ?? kindOf(point)})`;
}

function kindOf(point: number): string {
  if (point < 0xa0) return 'control character';
  if (point >= 0xe0000 && point <= 0xe007f) return 'Unicode tag';
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)) return 'variation selector';
  return 'invisible character';
}

/** The length of a text as people and JSON Schema count it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
