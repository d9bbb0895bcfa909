import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import { hasCertificates } from '../config/variable.js';

/**
 * Certificates that servers and clients share. New connections use the current certificates; open connections keep
 * theirs. The class implements the `CertificateProvider` of grpc-js.
 */
export class Certificates implements experimental.CertificateProvider {
  private readonly authorityListeners = new Set<experimental.CaCertificateUpdateListener>();
  private readonly identityListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  private held: Tls;
  private facts: CertificateFacts | undefined;

  /** @throws CertificateFault if the certificates cannot be used. */
  constructor(tls: Tls) {
    this.facts = readCertificateFacts(tls);
    this.held = tls;
  }

  get current(): Tls {
    return this.held;
  }

  /** The facts about our own certificate; undefined without one. */
  get own(): CertificateFacts | undefined {
    return this.facts;
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.authorityListeners.add(listener);
    this.used(true);
    // Deferred, because grpc-js registers its waiting connection only after this call returns.
    process.nextTick(() => this.authorityListeners.has(listener) && listener(this.authorityUpdate()));
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.authorityListeners.delete(listener);
    this.noticeUse();
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.identityListeners.add(listener);
    this.used(true);
    process.nextTick(() => this.identityListeners.has(listener) && listener(this.identityUpdate()));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.identityListeners.delete(listener);
    this.noticeUse();
  }

  /** Replaces the certificates and passes the new ones to every listener. */
  protected replace(tls: Tls, facts: CertificateFacts | undefined): void {
    this.held = tls;
    this.facts = facts;
    for (const listener of this.authorityListeners) listener(this.authorityUpdate());
    for (const listener of this.identityListeners) listener(this.identityUpdate());
  }

  /** Called with `true` when the first listener is added, and with `false` when the last one is removed. */
  protected used(_inUse: boolean): void {
    // Does nothing here, since only certificates from files must be watched.
  }

  private noticeUse() {
    if (this.authorityListeners.size + this.identityListeners.size === 0) this.used(false);
  }

  private authorityUpdate(): experimental.CaCertificateUpdate | null {
    const { ca } = this.held;
    return ca === undefined ? null : { caCertificate: Buffer.from(ca) };
  }

  private identityUpdate(): experimental.IdentityCertificateUpdate | null {
    const { cert, key } = this.held;
    if (cert === undefined || key === undefined) return null;
    return { certificate: Buffer.from(cert), privateKey: Buffer.from(key) };
  }
}

/** The parts of our own certificate that may be logged. */
interface CertificateFacts {
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

function attempt<Value>(fault: string, read: () => Value) {
  try {
    return read();
  } catch (error) {
    throw new CertificateFault(`${fault} (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}

/**
 * The PEM texts of one process. A server needs `cert` and `key`; with a `ca` it requires certificates from callers. A
 * client needs the `ca`.
 */
export interface Tls {
  cert?: string | undefined;
  key?: string | undefined;
  /** The authorities of the peers' certificates. While one authority replaces another, the text contains both. */
  ca?: string | undefined;
}
