import { readFileSync } from 'node:fs';
import type { Logger } from '../log/logger.js';
import { CertificateFault, readCertificateFacts } from './certificate-facts.js';
import { Certificates } from './certificates.js';
import type { Tls } from './pem.js';

/** Where each part comes from: a watched file, or a fixed text. */
export type CertificateSources = { readonly [Part in keyof Tls]?: { file: string } | { text: string } | undefined };

/**
 * How often the files are read. Kubernetes updates a secret by swapping a symlink, for which file events are
 * unreliable.
 */
const lookEveryMs = 2000;

/** An expiry is logged in the last fifth of the certificate's life, at most a week before. */
const soonMs = 7 * 86_400_000;
const soonShare = 1 / 5;

/**
 * Certificates that are read again from their files while a server or client uses them. If the new files are
 * incomplete, broken or not valid now, the old certificates stay in use. One warning is logged if that is still so at
 * the next look.
 */
export class CertificateFiles extends Certificates {
  private timer: NodeJS.Timeout | undefined;
  private suspect: { tried: string; told: boolean } | undefined;
  private told: 'nothing' | 'soon' | 'expired' = 'nothing';

  /** @throws CertificateFault if they cannot be used from the start. */
  constructor(
    private readonly sources: CertificateSources,
    private readonly log: Logger,
    private readonly everyMs = lookEveryMs,
  ) {
    super(read(sources));
    log.info(this.described(), 'certificates read');
    this.remind();
  }

  protected override used(inUse: boolean): void {
    if (!inUse) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else if (this.timer === undefined) {
      this.look();
      this.timer = setInterval(() => this.look(), this.everyMs);
      this.timer.unref();
    }
  }

  // The files are small and read one right after the other, so they seldom come from two different renewals.
  private look(): void {
    let found: Tls | undefined;
    try {
      found = read(this.sources);
      if (equal(found, this.current)) this.suspect = undefined;
      else this.renew(found);
    } catch (error) {
      if (!(error instanceof CertificateFault)) throw error;
      this.doubt(`${error.message}\n${JSON.stringify(found)}`, error.message);
    }
    this.remind();
  }

  private renew(found: Tls): void {
    const facts = readCertificateFacts(found);
    const now = Date.now();
    if (facts !== undefined && facts.until <= now) throw new CertificateFault('the certificate has expired');
    if (facts !== undefined && facts.from > now) throw new CertificateFault('the certificate is not valid yet');
    this.replace(found, facts);
    this.suspect = undefined;
    this.told = 'nothing';
    this.log.info(this.described(), 'certificates renewed');
  }

  private doubt(tried: string, fault: string): void {
    if (this.suspect?.tried !== tried) this.suspect = { tried, told: false };
    else if (!this.suspect.told) {
      this.suspect.told = true;
      this.log.warn({ fault, ...this.described() }, 'the new certificates cannot be used; keeping the old');
    }
  }

  private remind(): void {
    if (this.own === undefined) return;
    const { from, until } = this.own;
    const left = until - Date.now();
    if (left <= 0 && this.told !== 'expired') {
      this.told = 'expired';
      this.log.error(this.described(), 'the certificate has expired');
    } else if (left > 0 && left < Math.min(soonMs, (until - from) * soonShare) && this.told === 'nothing') {
      this.told = 'soon';
      this.log.warn(this.described(), 'the certificate expires soon');
    }
  }

  private described(): { names?: readonly string[]; not_after?: string } {
    if (this.own === undefined) return {};
    return { names: this.own.names, not_after: new Date(this.own.until).toISOString() };
  }
}

function read(sources: CertificateSources): Tls {
  const part = (name: keyof Tls): string | undefined => {
    const source = sources[name];
    if (source === undefined || 'text' in source) return source?.text;
    try {
      return readFileSync(source.file, 'utf8');
    } catch (error) {
      throw new CertificateFault(`${source.file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  };
  return { cert: part('cert'), key: part('key'), ca: part('ca') };
}

function equal(one: Tls, other: Tls): boolean {
  return one.cert === other.cert && one.key === other.key && one.ca === other.ca;
}
