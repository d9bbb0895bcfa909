import { decodeHTML } from 'entities';
import unhomoglyph from 'unhomoglyph';
import { textBlocks } from '../markdown/index.js';
import { containsAddress, foldSpelling } from '../text/address.js';
import { isHost, withDots } from '../text/hosts.js';

/**
 * What a name has that leads people somewhere: an address, a number or a handle, in words for a message. Undefined for a
 * plain name. Names go to strangers by mail, so they would carry every text of that kind.
 */
export function contactIn(name: string): string | undefined {
  const plain = withDots(foldSpelling(name));
  if (containsAddress(plain)) return 'an e-mail address';
  if (hasHost(plain)) return 'a web address';
  if (telephone.test(plain.replace(noTelephone, ' x '))) return 'a telephone number';
  return handles.some((handle) => handle.test(plain)) ? 'the handle of a messenger' : undefined;
}

function hasHost(plain: string) {
  const hosts = plain.match(/[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/gu) ?? [];
  return /https?:|www\./.test(plain) || hosts.some((host) => host !== 'asp.net' && isHost(host));
}

/** Seven digits or more, with what people write between them. */
const telephone = /\p{Nd}(?:[\s().,/_-]{0,3}\p{Nd}){6}/u;

// Days and ids have as many digits: models are named `claude-sonnet-4-20250514`.
const noTelephone =
  /(?<!\d)(?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])[-_. ]?(?:0[1-9]|[12]\d|3[01])(?!\d)|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

const messenger =
  '(?:telegram|whats ?app|signal|we ?chat|weixin|viber|discord|skype|threema|icq|kik|snapchat|wickr|kakao ?talk|zalo|simplex|insta(?:gram)?|tg|wa|ig|line id)';

const messengerWord = String.raw`(?<!\p{L})${messenger}(?!\p{L})`;
const anyMessenger = new RegExp(messengerWord, 'u');

/** Whether a name speaks of a messenger: then a word beside it may be a handle there. */
export function namesMessenger(name: string): boolean {
  return anyMessenger.test(foldSpelling(name));
}

const handles = [
  /(?<![\p{L}\p{N}])@[\p{L}\p{N}_]{2}/u,
  // What follows has a sign or digits that words do not have: "Telegram bot" and "Signal agent" are names.
  new RegExp(
    String.raw`${messengerWord}[\s:/-]*(?:(?:id|me|at|is|user)[\s:/-]+)?(?:[\p{L}\p{N}.-]*_[\p{L}\p{N}]|[\p{L}.-]*\p{Nd}{3}|\p{L}{3,}\.\p{Nd}{2}|(?!agent|assistant|model|version)\p{L}{4,}\p{Nd}{2})`,
    'u',
  ),
  new RegExp(String.raw`(?<!\p{L})(?:me|us|mich|uns) (?:on|via|at|by|auf|über|per) ${messenger}(?!\p{L})`, 'u'),
];

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
function spelled(text: string) {
  return foldSpelling(text)
    .replace(/\p{L}+/gu, (letters) => unhomoglyph(letters))
    .replace(/[^\p{L}\p{N}]+/gu, (run) => {
      const [sign = ''] = /@/.exec(run) ?? /[.。]/.exec(run) ?? /\+/.exec(run) ?? /[_-]/.exec(run) ?? [];
      return `${run === sign ? '' : ' '}${signs[sign] ?? sign}${run.replace(/[^\n]+/g, '')}`;
    });
}

const signs: Readonly<Record<string, string>> = { '。': '.', '-': '_' };

function asPattern(part: string) {
  return part.replace(/ ?([._+])/g, (_, sign) => (sign === '.' ? dot : ` ?[${sign}]`));
}

/** A sign, or a word for it that stands for itself or without any gap. */
function signOrWord(sign: string, words: string) {
  const gap = String.raw`(?: [._+]?|[._+])\n*`;
  return String.raw`(?: ?${sign}\n*|${gap}(?:${words})${gap}|(?:${words}))`;
}

const at = signOrWord('@', 'at|ät|arobase|arroba');
const dot = signOrWord(String.raw`\.`, 'dot|punkt|punto|point');
const tag = String.raw`(?: ?\+[^@\s]{0,64}?)?`;
