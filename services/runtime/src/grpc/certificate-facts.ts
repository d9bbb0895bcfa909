import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Tls } from './pem.js';

/** The facts about a certificate that may be logged. */
export interface CertificateFacts {
  /** The DNS names of our own certificate. The first one names us as a caller. */
  readonly names: readonly string[];
  /** When our own certificate becomes valid and expires, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** The certificates cannot be used. The message says why and never shows the key. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault';
}

/**
 * Checks the certificates as a TLS handshake would; `undefined` if there is only an authority.
 *
 * @throws CertificateFault if something is no PEM, or the key is that of another certificate.
 */
export function readCertificateFacts({ cert, key, ca }: Tls): CertificateFacts | undefined {
  if (ca !== undefined) {
    const authorities = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (authorities.length === 0) throw new CertificateFault('the authority holds no PEM certificate');
    for (const each of authorities) parse(each, 'the authority');
  }
  if (cert === undefined || key === undefined) return undefined;
  const leaf = parse(cert, 'the certificate');
  const fits = attempt('the key cannot be read', () => leaf.checkPrivateKey(createPrivateKey(key)));
  if (!fits) throw new CertificateFault('the key is not the key of the certificate');
  attempt('the chain cannot be read', () => createSecureContext({ cert, key, ca }));
  const names = [...(leaf.subjectAltName ?? '').matchAll(/(?:^|, )DNS:([^,]+)/g)].map((match) => match[1] ?? '');
  return { names, from: Date.parse(leaf.validFrom), until: Date.parse(leaf.validTo) };
}

function parse(pem: string, what: string): X509Certificate {
  return attempt(`${what} is no PEM certificate`, () => new X509Certificate(pem));
}

function attempt<Value>(fault: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new CertificateFault(`${fault} (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}
