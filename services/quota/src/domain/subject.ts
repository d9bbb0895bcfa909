import { hash } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import ipaddr from 'ipaddr.js';
import type { SubjectKind } from './policy.js';

/** Who is counted, as the caller knows them. */
export interface Subject {
  readonly kind: SubjectKind;
  /** The e-mail, client id or address. */
  readonly value: string;
}

const maxLength = 254;

/**
 * All that is kept of a subject: a hash of its kind and its canonical form, so that two spellings of one subject meet and
 * two kinds never do (SECURITY.md#counting).
 *
 * @throws KnowledgeError `validation_error` for a value that is no subject of its kind.
 */
export function subjectDigest(subject: Subject): string {
  return hash('sha256', `${prefixes[subject.kind]}:${canonicalValue(subject)}`, 'base64url');
}

/**
 * The form in which a subject is counted (gateway/PROTOCOL.md#who-reads): a mailbox case folded with its plus-tag cut,
 * a client id as sent, an IPv4 address whether mapped into IPv6 or not, an IPv6 address by its /64.
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
  // A local part that begins with the plus has no mailbox before it to be cut to.
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
