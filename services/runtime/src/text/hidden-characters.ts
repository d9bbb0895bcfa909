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

/**
 * Removes every character that nobody sees, for comparisons. What is shown keeps those that a script, an emoji or the end
 * of a line may need, such as soft hyphens.
 */
export function onlySeen(text: string): string {
  return withoutHiddenCharacters(text).replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
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

// Each alternative matches hidden characters only in places where no script or emoji needs them.
const hidden = new RegExp(
  [
    // Controls, such as the codes of terminals, but for tabs and line breaks.
    '[^\\P{Cc}\\t\\n\\r]',
    // Marks and controls of the text direction.
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
    // Spaces and operators without width, fillers, deprecated format characters and annotations.
    '[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]',
    // Tag characters, except in the flags of England, Scotland and Wales.
    '(?<!\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{0,8})[\\u{e0000}-\\u{e007f}]',
    '(?<=\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{0,8})(?:[\\u{e0000}-\\u{e0060}\\u{e007b}-\\u{e007e}]|[\\u{e0061}-\\u{e007a}](?![\\u{e0061}-\\u{e007a}]{0,8}\\u{e007f})|(?<=\\u{1f3f4})\\u{e007f})',
    // Zero-width joiners and non-joiners, except between letters or emoji that need them.
    `(?<!${letterThatJoins})(?<!${emoji})[\\u200c\\u200d]`,
    `(?<=${letterThatJoins})[\\u200c\\u200d](?!${letterThatJoins})`,
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)(?:\\u200c|\\u200d(?!\\p{Extended_Pictographic}))',
    // Variation selectors after a character that has no variations.
    '(?<![\\p{L}\\p{N}\\p{P}\\p{S}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
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
  if ((point >= 0xfe00 && point <= 0xfe0f) || point >= 0xe0100) return 'variation selector';
  return 'invisible character';
}

/** The length of a text as people and JSON Schema count it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
