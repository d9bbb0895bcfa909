import { hash } from 'node:crypto';

export function strongEtag(bytes: Buffer | string): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
}

/** Whether the value of `If-None-Match` contains an ETag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(etag: string, sent: string): boolean {
  if (sent === etag || sent.trim() === '*') return true;
  if (!sent.includes(',') && !sent.includes('W/') && !sent.includes(' ') && !etag.startsWith('W/')) return false;
  return sent.split(',').some((each) => withoutWeakness(each.trim()) === withoutWeakness(etag));
}

function withoutWeakness(etag: string) {
  return etag.replace(/^W\//, '');
}

/** Removes what proxies that compress add to ETags, such as `-gzip` of Apache. */
export function withoutProxySuffixes(sent: string): string {
  return sent.replace(/(?:--?|;)(?:gzip|br|zstd|deflate)(?=")/g, '');
}

/** The ETag of a contribution. */
export function revisionEtag(revision: number): string {
  return `"${revision}"`;
}

/** The revisions that `If-Match` names; empty if it takes any. What is no ETag of a contribution is revision 0, which none has. */
export function revisionsOf(ifMatch = '*'): number[] {
  if (ifMatch.trim() === '*') return [];
  return withoutProxySuffixes(ifMatch)
    .split(',')
    .map((each) => Number(/^(?:W\/)?"([1-9]\d{0,8})"$/.exec(each.trim())?.[1] ?? 0));
}
