import type { PeerCertificate } from 'node:tls';

/** The part of a call that knows the other side's certificate. */
export interface PeerCall {
  getAuthContext(): { sslPeerCertificate?: PeerCertificate };
}

/**
 * The name that the client's certificate certifies: its first DNS alternative name, else its first URI. A common name is
 * none (RFC 6125, section 6.4.4): authorities check alternative names with more care.
 */
export function callerIdentity(call: PeerCall): string | undefined {
  const { subjectaltname = '' } = call.getAuthContext().sslPeerCertificate ?? {};
  // Node quotes a name that could be taken for several.
  const names = subjectaltname.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return /(?:^|, )DNS:([^,]+)/.exec(names)?.[1] ?? /(?:^|, )URI:([^,]+)/.exec(names)?.[1];
}
