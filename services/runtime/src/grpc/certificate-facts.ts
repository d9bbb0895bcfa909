import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { hasCertificates } from '../config/has-certificates.js';
import type { Tls } from './pem.js';

/** The parts of our own certificate that may be logged. */
export interface CertificateFacts {
  /** The DNS names in the certificate. Other services know this process by the first one. */
  readonly names: readonly string[];
  /** The time, in milliseconds since 1970, from which the certificate is valid. `until` is the time when it expires. */
  readonly from: number;
  readonly until: number;
}

/** The certificates cannot be used. The message gives the reason and never shows the key. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault';
}

/**
 * Checks certificates before a TLS handshake uses them. Returns `undefined` if there is only an authority.
 *
 * @throws CertificateFault if a part is not PEM, or the key does not belong to the certificate.
 */
export function readCertificateFacts({ cert, key, ca }: Tls): CertificateFacts | undefined {
  if (ca !== undefined && !attempt('the authority is no PEM certificate', () => hasCertificates(ca)))
    throw new CertificateFault('the authority has no PEM certificate');
  if (cert === undefined || key === undefined) return undefined;
  const leaf = attempt('the certificate is no PEM certificate', () => new X509Certificate(cert));
  const fits = attempt('the key cannot be read', () => leaf.checkPrivateKey(createPrivateKey(key)));
  if (!fits) throw new CertificateFault('the key is not the key of the certificate');
  attempt('the chain cannot be read', () => createSecureContext({ cert, key, ca }));
  const names = [...(leaf.subjectAltName ?? '').matchAll(/(?:^|, )DNS:([^,]+)/g)].map((match) => match[1] ?? '');
  return { names, from: Date.parse(leaf.validFrom), until: Date.parse(leaf.validTo) };
}

function attempt<Value>(fault: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new CertificateFault(`${fault} (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}
