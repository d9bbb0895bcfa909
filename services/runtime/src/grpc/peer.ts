import type { PeerCertificate } from 'node:tls';

/** The part of a call that knows the other side's certificate. */
export interface PeerCall {
  getAuthContext(): { sslPeerCertificate?: PeerCertificate };
}

/** The name that the client's certificate certifies: its first DNS or URI alternative name, else its common name. */
export function callerIdentity(call: PeerCall): string | undefined {
  const certificate = call.getAuthContext().sslPeerCertificate;
  if (certificate === undefined || certificate.subject === undefined) return undefined;
  const alternative = /(?:^|, )(?:DNS|URI):([^,]+)/.exec(certificate.subjectaltname ?? '')?.[1];
  return alternative ?? commonName(certificate);
}

function commonName(certificate: PeerCertificate): string | undefined {
  const names: string | string[] | undefined = certificate.subject.CN;
  return Array.isArray(names) ? names[0] : names;
}
