import { domainToASCII } from 'node:url';
import { bounds } from '../product/bounds.js';
import { nameOf, withoutHiddenCharacters } from './hidden-characters.js';

/**
 * Whether a string is exactly one plain mailbox (SECURITY.md#mail). It must be ASCII with at most 254 characters: a
 * dot-atom of at most 64, one `@`, and a domain with a dot. Lists, names, comments, quotes, address literals and
 * control characters are refused. The check takes linear time.
 */
export function isSingleAddress(input: string): boolean {
  if (input.length > bounds.email.max) return false;
  const at = input.indexOf('@');
  const local = input.slice(0, at);
  const domain = input.slice(at + 1);
  if (at < 1 || local.length > 64 || domain.length > 253) return false;
  if (!localCharacters.test(local) || local.startsWith('-')) return false;
  if (local.split('.').includes('')) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every((label) => domainLabel.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

const localCharacters = /^[A-Za-z0-9._+\-!#$%&'*/=?^`{|}~]+$/;
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** What is wrong with an address that somebody typed. The words follow the name of a field; undefined for one plain address. */
export function addressFault(input: string): string | undefined {
  const typed = input.trim();
  if (typed.length > bounds.email.max) return emailBound;
  if (isSingleAddress(asciiAddress(typed))) return undefined;
  const address = typed.normalize();
  const [hidden] = /\p{Default_Ignorable_Code_Point}/u.exec(address) ?? [];
  if (hidden !== undefined) return `must not contain ${nameOf(hidden)}, which nobody sees`;
  const [letter] = /[^\0-\x7f]/u.exec(address.slice(0, Math.max(0, address.lastIndexOf('@')))) ?? [];
  if (letter === undefined) return emailBound;
  return `must have no “${letter}” before the @: only a to z, digits and signs can stand there; use another address`;
}

/** What an address must be. */
export const emailBound =
  'must be exactly one plain address like jane@example.org: without a name, < >, mailto:, blanks or a second address';

/**
 * Reads an address as somebody typed it. White space around it is cut off, and its domain becomes ASCII, such as
 * `xn--bcher-kva.example`. Other text stays as it is.
 */
export function asciiAddress(input: string): string {
  const address = input.trim();
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // Only letters of other scripts are converted, so that no ASCII domain changes. IDNA would leave hidden characters out.
  if (
    !/[^\0-\x7f]/.test(domain) ||
    /[^A-Za-z0-9.\-\x80-\u{10ffff}]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u.test(domain)
  )
    return address;
  return address.slice(0, at) + domainToASCII(domain);
}

export interface Sender {
  name: string;
  address: string;
}

/** Reads `MAIL_FROM`: `Name <address>` or only an address. Undefined for other text. */
export function parseSender(input: string): Sender | undefined {
  const match = /^(?:"?([^"<>\p{Cc}]*?)"? *<([^<>]+)>|([^<>\s]+))$/u.exec(input.trim());
  const address = match?.[2] ?? match?.[3];
  if (address === undefined || !isSenderAddress(address)) return undefined;
  return { name: match?.[1]?.trim() ?? '', address };
}

// Only `localhost` needs no dot, for a local start.
function isSenderAddress(address: string): boolean {
  return isSingleAddress(address.replace(/@localhost$/i, '@a.localhost'));
}

/** Whether a name contains an e-mail address, also one in words: `jo (at) example dot org`. */
export function containsAddress(name: string): boolean {
  const plain = foldSpelling(name);
  return spellings.some((spelling) => spelling.test(plain));
}

/** Makes texts equal that differ in case, width or hidden characters. */
export function foldSpelling(text: string): string {
  return withoutHiddenCharacters(text.normalize('NFKC')).normalize('NFKC').toLowerCase();
}

/** A dot of an address, or a word for it. */
const dot = String.raw`(?:\s*[.。]\s*|\s*[([{<]\s*(?:dot|punkt|punto|point|\.)\s*[)\]}>]\s*|\s+(?:dot|punkt|punto|point)\s+)`;

const spellings = [
  /[^\s@<>]@[^\s@<>]/,
  // With spaces around the @, a dot must follow, since "Jo @ Acme" is an allowed name.
  new RegExp(String.raw`[^\s@]\s*@\s*[^\s@.,]+${dot}\p{L}{2,}`, 'u'),
  /[\p{L}\p{N}]\s*[([{<]\s*(?:at|ät|@)\s*[)\]}>]\s*[\p{L}\p{N}]/u,
  new RegExp(String.raw`[\p{L}\p{N}]\s+(?:at|ät)\s+[\p{L}\p{N}-]+${dot}\p{L}{2,}`, 'u'),
  /[\p{L}\p{N}][_.-]+at[_.-]+[\p{L}\p{N}-]+[_.-]+(?:dot[_.-]+)?\p{L}{2,}$/u,
];
