/** Whether the value of `If-None-Match` contains an ETag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(etag: string, sent: string): boolean {
  if (sent === etag || sent.trim() === '*') return true;
  if (!sent.includes(',') && !sent.includes('W/') && !sent.includes(' ') && !etag.startsWith('W/')) return false;
  return sent.split(',').some((each) => withoutWeakness(each.trim()) === withoutWeakness(etag));
}

function withoutWeakness(etag: string): string {
  return etag.replace(/^W\//, '');
}
