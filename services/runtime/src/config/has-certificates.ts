import { X509Certificate } from 'node:crypto';

/**
 * Whether a text has PEM certificates.
 *
 * @throws Error if one of them cannot be read.
 */
export function hasCertificates(pem: string): boolean {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  for (const each of found) new X509Certificate(each);
  return found.length > 0;
}
