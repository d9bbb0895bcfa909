import type { experimental } from '@grpc/grpc-js';
import { type CertificateFacts, readCertificateFacts } from './certificate-facts.js';
import type { Tls } from './pem.js';

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

  private noticeUse(): void {
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
