import { domainToASCII } from 'node:url';
import { bounds } from '../product/bounds.js';

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

/** What an address must be. The words follow the name of a field in a message. */
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
  // Only letters of other scripts are converted, so that no ASCII domain changes.
  if (!/[^\0-\x7f]/.test(domain) || /[^A-Za-z0-9.\-\x80-\uffff]/.test(domain)) return address;
  return address.slice(0, at) + domainToASCII(domain);
}

/** The mailbox that limits count: the address in lower case, without its plus-tag. A plus at the beginning is no tag. */
export function mailboxOf(email: string): string {
  return email.replace(/^(.[^+@]*)\+[^@]*/, '$1').toLowerCase();
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

// Also accepts a host without a dot, since a local start may use one.
function isSenderAddress(address: string): boolean {
  return isSingleAddress(address) || isSingleAddress(`${address}.localdomain`);
}
