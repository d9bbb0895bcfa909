/** Whether the value of `If-None-Match` contains an ETag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(etag: string, sent: string): boolean {
  if (sent === etag || sent.trim() === '*') return true;
  return sent.includes(',') || sent.includes('W/') || sent.includes(' ')
    ? sent.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
    : false;
}
