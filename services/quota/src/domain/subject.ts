import { hash } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import ipaddr from 'ipaddr.js';
import type { SubjectKind } from './policy.js';

/** The mailbox, client id or address that is counted. */
export interface Subject {
  readonly kind: SubjectKind;
  /** The e-mail, client id or address. */
  readonly value: string;
}

const maxLength = 254;

/**
 * The hash that is stored in place of a subject (SECURITY.md#counting). It covers the kind and the canonical value, so
 * two spellings of a subject share a counter and two kinds never do.
 *
 * @throws KnowledgeError `validation_error` for a value that is no subject of its kind.
 */
export function subjectDigest(subject: Subject): string {
  return hash('sha256', `${prefixes[subject.kind]}:${canonicalValue(subject)}`, 'base64url');
}

/**
 * The canonical value of a subject (gateway/PROTOCOL.md#who-reads). A mailbox is in lower case without its plus-tag. A
 * client id stays as it is. An IPv4 address may come mapped into IPv6. An IPv6 address counts by its /64.
 */
export function canonicalValue({ kind, value }: Subject): string {
  if (value === '' || isLonger(value, maxLength)) {
    throw new KnowledgeError('validation_error', `subject.value must have 1 to ${maxLength} characters.`);
  }
  switch (kind) {
    case 'email':
      return canonicalMailbox(value);
    case 'client_id':
      return value;
    case 'address':
      return canonicalAddress(value);
  }
}

/** Whether a string has more characters (code points) than `max`. */
export function isLonger(value: string, max: number): boolean {
  return value.length > max && [...value].length > max;
}

const prefixes: Readonly<Record<SubjectKind, string>> = { email: 'e', client_id: 'c', address: 'i' };

function canonicalMailbox(value: string): string {
  const at = value.lastIndexOf('@');
  if (at < 1 || at === value.length - 1) {
    throw new KnowledgeError('validation_error', 'subject.value must be an e-mail address.');
  }
  const local = value.slice(0, at);
  // A local part that begins with a plus has no tag to remove.
  const tag = local.indexOf('+', 1);
  return `${tag === -1 ? local : local.slice(0, tag)}${value.slice(at)}`.toLowerCase();
}

function canonicalAddress(value: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(value)) return ipaddr.IPv4.parse(value).toString();
  if (!ipaddr.IPv6.isValid(value)) {
    throw new KnowledgeError('validation_error', 'subject.value must be an IPv4 or IPv6 address.');
  }
  const address = ipaddr.IPv6.parse(value);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
