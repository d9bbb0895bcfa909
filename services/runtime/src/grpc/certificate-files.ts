import { readFileSync } from 'node:fs';
import type { Logger } from '../log/logger.js';
import { CertificateFault, readCertificateFacts } from './certificate-facts.js';
import { Certificates } from './certificates.js';
import type { Tls } from './pem.js';

/** The source of each PEM text: a watched file or a fixed text. */
export type CertificateSources = { readonly [Part in keyof Tls]?: { file: string } | { text: string } | undefined };

/**
 * The interval at which the files are read. Kubernetes updates a secret by swapping a symlink, and file events often
 * miss that.
 */
const lookEveryMs = 2000;

/** A warning is logged in the last fifth of the certificate's life, but at most a week before its expiry. */
const soonMs = 7 * 86_400_000;
const soonShare = 1 / 5;

/**
 * Certificates from files, which are read again while a server or client uses them. If new files are incomplete, broken
 * or not valid now, the old certificates stay in use. If the next read finds the same fault, one warning is logged.
 */
export class CertificateFiles extends Certificates {
  private timer: NodeJS.Timeout | undefined;
  private suspect: { tried: string; told: boolean } | undefined;
  private told: 'nothing' | 'soon' | 'expired' = 'nothing';

  /** @throws CertificateFault if the certificates cannot be used at the start. */
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

  // A read could mix files of two renewals. This is rare, since the files are small and read one after the other.
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
