import { decodeHTML } from 'entities';
import unhomoglyph from 'unhomoglyph';
import { textBlocks } from '../markdown/index.js';
import { foldSpelling } from '../text/address.js';

/**
 * Finds the address of a human in a Markdown text, in any spelling. Entities, percent signs, words for signs, look-alike
 * letters and another plus-tag count, in what is written and in what is read. Returns the number of its line; undefined
 * if it is not there.
 */
export function lineOfAddress(text: string, email: string, shown = textBlocks(text)): number | undefined {
  const [, local = '', domain] = /^(.[^+@]*)[^@]*@(.+)$/.exec(email) ?? [];
  if (domain === undefined) return undefined;
  const [name = '', host = ''] = spelled(`${local}@${domain}`)
    .replace(/^[ ._+]+/, '')
    .split(/ ?@/)
    .map(asPattern);
  // Before it stands no letter, nor the beginning of another address: `mary.jo@example.org` is not that of Jo.
  const address = new RegExp(`(?<![\\p{L}\\p{N}][._+]?)${name}${tag}${at}${host}(?![\\p{L}\\p{N}])`, 'u');
  const written = decodeHTML(text).replace(/%[0-7][\da-f]/gi, (code) => decodeURIComponent(code));
  for (const blocks of [[{ line: 0, text: written }], shown]) {
    const read = spelled(blocks.map((each) => each.text).join('\n'));
    const index = read.search(address);
    if (index < 0) continue;
    const lines = blocks.flatMap((each) => each.text.split('\n').map((_, below) => each.line + below));
    return (lines[read.slice(0, index).split('\n').length - 1] ?? 0) + 1;
  }
  return undefined;
}

/** Writes look-alikes as the same letter, and each gap between words as a space, a sign and its line breaks. */
function spelled(text: string): string {
  return foldSpelling(text)
    .replace(/\p{L}+/gu, (letters) => unhomoglyph(letters))
    .replace(/[^\p{L}\p{N}]+/gu, (run) => {
      const [sign = ''] = /@/.exec(run) ?? /[.。]/.exec(run) ?? /\+/.exec(run) ?? /[_-]/.exec(run) ?? [];
      return `${run === sign ? '' : ' '}${signs[sign] ?? sign}${run.replace(/[^\n]+/g, '')}`;
    });
}

const signs: Readonly<Record<string, string>> = { '。': '.', '-': '_' };

function asPattern(part: string): string {
  return part.replace(/ ?([._+])/g, (_, sign) => (sign === '.' ? dot : ` ?[${sign}]`));
}

/** A sign, or a word for it that stands for itself or without any gap. */
function signOrWord(sign: string, words: string): string {
  const gap = String.raw`(?: [._+]?|[._+])\n*`;
  return String.raw`(?: ?${sign}\n*|${gap}(?:${words})${gap}|(?:${words}))`;
}

const at = signOrWord('@', 'at|ät|arobase|arroba');
const dot = signOrWord(String.raw`\.`, 'dot|punkt|punto|point');
const tag = String.raw`(?: ?\+[^@\s]{0,64}?)?`;
