import { hash } from 'node:crypto';
import { type Bucket, bucketsOf, codePoints, mailboxOf, refuse } from '@knowledge/runtime';
import ipaddr from 'ipaddr.js';
import type { Policy, SubjectKind } from './policy.js';

/** A mailbox, client id, address or mail domain whose units are counted; or the whole service. */
export interface Subject {
  readonly kind: SubjectKind;
  /** The e-mail, client id, address or domain as text. */
  readonly value: string;
}

const maxLength = 254;

/**
 * The hash that is stored instead of the subject (SECURITY.md#counting). It contains the kind and the canonical value.
 * So two spellings of a subject share a counter, but two kinds never do.
 *
 * @throws KnowledgeError `validation_error` for a value that is invalid for its kind.
 */
export function subjectDigest(subject: Subject): string {
  return canonicalDigest(subject.kind, canonicalValue(subject));
}

/** The hash of a value that is canonical already. */
function canonicalDigest(kind: SubjectKind, canonical: string) {
  return hash('sha256', `${prefixes[kind]}:${canonical}`, 'base64url');
}

/**
 * The canonical value of a subject (gateway/PROTOCOL.md#who-reads). A mailbox has one value in all its spellings. A
 * client id stays unchanged. An IPv4 address mapped into IPv6 becomes IPv4. An IPv6 address becomes its /64.
 */
export function canonicalValue({ kind, value }: Subject): string {
  if (value === '' || isLonger(value, maxLength)) refuse(`subject.value must have 1 to ${maxLength} characters`);
  switch (kind) {
    case 'email':
      if (!/.@./.test(value)) refuse('subject.value must be an e-mail address');
      return mailboxOf(value);
    case 'client_id':
      return value;
    case 'address':
      return (addressBuckets(value)[0] as Bucket).network;
    case 'mail_domain':
    case 'service':
      return value.toLowerCase();
  }
}

/** Whether a string has more than `max` code points. */
export function isLonger(value: string, max: number): boolean {
  return value.length > max && codePoints(value) > max;
}

const prefixes: Readonly<Record<SubjectKind, string>> = {
  email: 'e',
  client_id: 'c',
  address: 'i',
  mail_domain: 'd',
  service: 's',
};

/** The networks that count an address, the narrowest first. */
function addressBuckets(value: string) {
  if (!ipaddr.IPv4.isValidFourPartDecimal(value) && !ipaddr.IPv6.isValid(value)) {
    refuse('subject.value must be an IPv4 or IPv6 address');
  }
  return bucketsOf(value);
}

/** One policy that is applied to one subject. */
export interface Charge {
  readonly policy: Policy;
  /** The key of the subject's counter for this policy: the `_id` of the stored counter. */
  readonly key: string;
}

/** @throws KnowledgeError `validation_error` if the policy counts another kind of subject, or the value is invalid. */
export function createCharge(policy: Policy, subject: Subject): Charge {
  if (policy.kind !== subject.kind) refuse(`The policy ${policy.name} counts subjects of kind ${policy.kind}`);
  const canonical = canonicalValue(subject);
  if (policy.limit > 0) return { policy, key: keyOf(policy, subject, canonical) };
  // A policy that is switched off seldom needs its key, and a hash costs more than the rest.
  return {
    policy,
    get key() {
      return keyOf(policy, subject, canonical);
    },
  };
}

/** The charges of one policy. An IPv6 address has one for each network around it, with a growing limit. */
export function createCharges(policy: Policy, subject: Subject): [Charge, ...Charge[]] {
  const own = createCharge(policy, subject);
  if (policy.kind !== 'address') return [own];
  const wider = addressBuckets(subject.value).slice(1);
  return [
    own,
    ...wider.map(({ network, factor }) => ({
      policy: { ...policy, limit: policy.limit * factor },
      key: keyOf(policy, subject, network),
    })),
  ];
}

function keyOf({ name }: Policy, { kind }: Subject, canonical: string) {
  return `${name}:${canonicalDigest(kind, canonical)}`;
}
