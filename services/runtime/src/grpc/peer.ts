import type { PeerCertificate } from 'node:tls';

/** The part of a call that gives the peer's certificate. */
export interface PeerCall {
  getAuthContext(): { sslPeerCertificate?: PeerCertificate };
}

/**
 * The caller's name: the first DNS name of its certificate, else the first URI. A common name does not count, since
 * authorities check alternative names with more care (RFC 6125, section 6.4.4).
 */
export function callerIdentity(call: PeerCall): string | undefined {
  const { subjectaltname = '' } = call.getAuthContext().sslPeerCertificate ?? {};
  // Node puts quotes around a name that could be read as several.
  const names = subjectaltname.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return /(?:^|, )DNS:([^,]+)/.exec(names)?.[1] ?? /(?:^|, )URI:([^,]+)/.exec(names)?.[1];
}
