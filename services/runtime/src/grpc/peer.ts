import type { PeerCertificate } from 'node:tls';

/** The part of a grpc-js call that contains the peer's certificate. */
export interface PeerCall {
  getAuthContext(): { sslPeerCertificate?: PeerCertificate };
}

/**
 * The caller's name: the first DNS name in its certificate, otherwise the first URI. A common name is ignored, since
 * authorities check alternative names more carefully (RFC 6125, section 6.4.4).
 */
export function callerIdentity(call: PeerCall): string | undefined {
  const { subjectaltname = '' } = call.getAuthContext().sslPeerCertificate ?? {};
  // Node quotes a name that contains a separator. Such a name is not trusted, so it is removed.
  const names = subjectaltname.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return /(?:^|, )DNS:([^,]+)/.exec(names)?.[1] ?? /(?:^|, )URI:([^,]+)/.exec(names)?.[1];
}

/** The name in the certificate of the web desk. The actor of its calls is the staff member, not the process. */
export const webDesk = 'web-desk';
