import type { experimental } from '@grpc/grpc-js';
import { type CertificateFacts, examine } from './certificate-facts.js';
import type { Tls } from './pem.js';

/**
 * Certificates that servers and clients share: each new connection uses what is current then, running ones go on as they
 * are. grpc-js asks for them by its `CertificateProvider`.
 */
export class Certificates implements experimental.CertificateProvider {
  private readonly authorityListeners = new Set<experimental.CaCertificateUpdateListener>();
  private readonly identityListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  private held: Tls;
  private facts: CertificateFacts | undefined;

  /** @throws CertificateFault if they cannot be used. */
  constructor(tls: Tls) {
    this.facts = examine(tls);
    this.held = tls;
  }

  /** What is current. */
  get current(): Tls {
    return this.held;
  }

  /** What is known of the own certificate, if there is one. */
  get own(): CertificateFacts | undefined {
    return this.facts;
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.authorityListeners.add(listener);
    this.used(true);
    // Not at once: grpc-js adds the one who waits for it after this.
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

  /** Hands new certificates to whoever uses the old ones. */
  protected replace(tls: Tls, facts: CertificateFacts | undefined): void {
    this.held = tls;
    this.facts = facts;
    for (const listener of this.authorityListeners) listener(this.authorityUpdate());
    for (const listener of this.identityListeners) listener(this.identityUpdate());
  }

  /** Called when somebody begins to use them, and when nobody does any more. */
  protected used(_inUse: boolean): void {
    // What never changes need not be watched.
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
