import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The content codings of compressed forms, best first. */
const compressions = ['br', 'gzip'] as const;

export type Compression = (typeof compressions)[number];

/** A content coding of RFC 9110; `identity` is the plain form. */
export type Coding = Compression | 'identity';

/**
 * Returns the codings that `Accept-Encoding` takes, best first (RFC 9110 section 12.5.3). `br` wins ties. Without the
 * header, or if it takes none of ours, the plain form is sent.
 */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  if (header === undefined || header.length > maxLength) return plain;
  const known = recent.get(header);
  if (known !== undefined) return known;
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const codings = negotiator.encodings([...compressions, 'identity'], { preferred: [...compressions] });
  const accepted = codings.length > 0 ? (codings as Coding[]) : plain;
  recent.set(header, accepted);
  return accepted;
}

/** The types of the library lack the second parameter. */
interface EncodingNegotiator {
  encodings(offered: string[], options: { preferred: string[] }): string[];
}

const plain: readonly Coding[] = ['identity'];

/** Clients send up to 50 characters. A header beyond this bound is not read. */
const maxLength = 256;

// Most clients send one of a few headers, so few are parsed.
const recent = new LRUCache<string, readonly Coding[]>({ max: 500 });
