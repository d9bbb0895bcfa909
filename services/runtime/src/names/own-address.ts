import { decodeHTML } from 'entities';
import unhomoglyph from 'unhomoglyph';
import { dot, foldSpelling } from '../text/contains-address.js';

/**
 * Finds the address of a human in a Markdown text, in any spelling. Entities, percent signs, words, look-alike letters
 * and another plus-tag count. Returns the number of its line; undefined if it is not there.
 */
export function lineOfAddress(text: string, email: string): number | undefined {
  const [, local = '', domain] = /^(.[^+@]*)[^@]*@(.+)$/.exec(plain(email)) ?? [];
  if (domain === undefined) return undefined;
  const name = local.replace(/[$*+./?^{|}]/g, '\\$&');
  const host = domain.split('.').join(`(?:${dot}|[_.-]+(?:dot[_.-]+)?)`);
  // Before it stands no letter, nor the beginning of another address: `mary.jo@example.org` is not that of Jo.
  const address = new RegExp(`(?<![\\p{L}\\p{N}][_.+-]?)${name}${tag}${at}${host}(?![\\p{L}\\p{N}])`, 'u');
  const read = plain(text);
  // The target of a link can be an address, and it can stand between two letters of one.
  const found = [read, read.replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')]
    .map((form) => ({ form, index: form.search(address) }))
    .find(({ index }) => index >= 0);
  return found?.form.slice(0, found.index).split('\n').length;
}

const tag = String.raw`(?:\s*\+[^\s@()]{0,64})?`;
const at = String.raw`(?:\s*@\s*|\s*[([{<]\s*(?:at|ät|@)\s*[)\]}>]\s*|\s+at\s+|[_.-]+at[_.-]+)`;

/** Removes what no reader of the rendered text sees, and writes look-alikes as the same letter. */
function plain(text: string): string {
  const decoded = decodeHTML(text).replace(/%[0-7][\da-f]/gi, (code) => decodeURIComponent(code));
  const unmarked = foldSpelling(decoded)
    .replace(/[\u00ad*~`\\]/g, '')
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '');
  return unmarked.replace(/\p{L}+/gu, (letters) => unhomoglyph(letters));
}
