import { contactIn } from '@knowledge/runtime/names';
import { foldText } from '../domain/fold-text.js';
import { spaceless } from '../domain/search-terms.js';
import { counted, type TextCheck } from './check.js';

/** Finds an address, a number or a handle in a title, which stands in lists and mails without its text. */
export const titleContact: TextCheck = ({ title }) => {
  const contact = contactIn(title ?? '');
  return contact === undefined ? undefined : { weight: 10, text: 'the title has an address, a number or a handle' };
};

/** Finds the same words again and again, with which a text wants to be the first of a search. */
export const stuffing: TextCheck = ({ words }) => {
  const all = foldText(words).match(pieces) ?? [];
  for (const [length, least] of [
    [6, 10],
    [3, 10],
    [2, 25],
  ] as const) {
    const times = new Map<string, number>();
    for (let at = 0; at + length <= all.length; at++) {
      const phrase = all.slice(at, at + length);
      // Signs of a script without spaces say less than words.
      if (length < 6 && phrase.some((piece) => sign.test(piece))) continue;
      const key = phrase.join(' ');
      times.set(key, (times.get(key) ?? 0) + 1);
    }
    const [phrase, most] = [...times].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0] as const);
    if (most >= least && most * length * 8 >= all.length)
      return { weight: 15, text: `the same words stand there ${counted(most, 'time')}: “${phrase.slice(0, 60)}”` };
  }
  return undefined;
};

const sign = new RegExp(`[${spaceless}]`, 'u');
const pieces = new RegExp(`[${spaceless}]|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Finds blanks in code that push what follows off the screen, to the side or down. */
export const padding: TextCheck = ({ tokens }) => {
  const codes = tokens.flatMap(({ type, content, children }) => [
    ...(/^(?:fence|code_block|source)$/.test(type) ? [content] : []),
    ...(children ?? []).filter(({ type }) => type === 'code_inline').map(({ content }) => content),
  ]);
  const longest = Math.max(
    0,
    ...codes.flatMap((code) => code.match(/[\s\u2800]{81,}(?=\S)/gu) ?? []).map(({ length }) => length),
  );
  return longest === 0 ? undefined : { weight: 20, text: `${longest} blanks in code push what follows off the screen` };
};
