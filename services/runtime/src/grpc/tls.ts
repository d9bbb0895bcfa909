import { readFileSync } from 'node:fs';
import { ChannelCredentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { type Config, ConfigError, type grpcTlsVariables } from '../config/read-config.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { CertificateFault, Certificates, readCertificateFacts, type Tls } from './certificates.js';

/** The values of `grpcTlsVariables`. */
export type GrpcTlsConfig = Config<typeof grpcTlsVariables>;

/**
 * Makes the certificates for `serveGrpc` and `connectGrpc` from the `grpcTlsVariables`; `undefined` if none is set.
 * Certificates from files are read again when the files change.
 *
 * @throws ConfigError if the certificates cannot be used.
 */
export function loadGrpcCertificates(config: GrpcTlsConfig, log: Logger): Certificates | undefined {
  const sources = {
    cert: sourceOf(config.GRPC_TLS_CERT, config.GRPC_TLS_CERT_FILE),
    key: sourceOf(config.GRPC_TLS_KEY, config.GRPC_TLS_KEY_FILE),
    ca: sourceOf(config.GRPC_TLS_CA, config.GRPC_TLS_CA_FILE),
  } satisfies CertificateSources;
  if (Object.values(sources).every((source) => source === undefined)) return undefined;
  return usable(() => new CertificateFiles(sources, log), 'GRPC_TLS_CERT, GRPC_TLS_KEY and GRPC_TLS_CA');
}

/** Adds a metric with the expiry time of the process's certificate. Call it once per process. */
export function measureExpiry(tls: Certificates, { metrics }: Pick<Telemetry, 'metrics'>): void {
  const name = 'knowledge_certificate_expiry_timestamp_seconds';
  const help = 'When the certificate of this process expires, in seconds since 1970';
  metrics.read({ name, help }, () => tls.own && tls.own.until / 1000);
}

/** Whether the server requires certificates from callers. */
export function isMutual(tls: Tls | Certificates | undefined): boolean {
  return (tls instanceof Certificates ? tls.current : tls)?.ca !== undefined;
}

export function serverCredentials(tls: Tls | Certificates | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const certificates = toCertificates(tls);
  const { cert, key, ca } = certificates.current;
  if (cert === undefined || key === undefined) {
    throw new ConfigError(['GRPC_TLS_CERT and GRPC_TLS_KEY must both be set to serve gRPC with TLS.']);
  }
  // In grpc-js 1.14 the parameter names are swapped: the server's own pair comes first, the authority second.
  const create = experimental.createCertificateProviderServerCredentials;
  return ca === undefined ? create(certificates, null, false) : create(certificates, certificates, true);
}

export function channelCredentials(tls: Tls | Certificates | undefined): ChannelCredentials {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  const { cert, key, ca } = tls instanceof Certificates ? tls.current : tls;
  if (ca === undefined || (cert === undefined) !== (key === undefined)) {
    throw new ConfigError([
      'GRPC_TLS_CA must be set to call gRPC with TLS, GRPC_TLS_CERT and _KEY both or not at all.',
    ]);
  }
  const certificates = toCertificates(tls);
  return experimental.createCertificateProviderChannelCredentials(
    certificates,
    cert === undefined ? null : certificates,
  );
}

function toCertificates(tls: Tls | Certificates) {
  return tls instanceof Certificates ? tls : usable(() => new Certificates(tls), 'The certificates');
}

function usable<Value>(make: () => Value, what: string) {
  try {
    return make();
  } catch (error) {
    if (error instanceof CertificateFault) throw new ConfigError([`${what} cannot be used: ${error.message}.`]);
    throw error;
  }
}

function sourceOf(text: string | undefined, file: string | undefined) {
  if (file !== undefined) return { file };
  return text === undefined ? undefined : { text };
}

/** The source of each PEM text: a watched file or a fixed text. */
type CertificateSources = { readonly [Part in keyof Tls]?: { file: string } | { text: string } | undefined };

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
  private look() {
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

  private renew(found: Tls) {
    const facts = readCertificateFacts(found);
    const now = Date.now();
    if (facts !== undefined && facts.until <= now) throw new CertificateFault('the certificate has expired');
    if (facts !== undefined && facts.from > now) throw new CertificateFault('the certificate is not valid yet');
    this.replace(found, facts);
    this.suspect = undefined;
    this.told = 'nothing';
    this.log.info(this.described(), 'certificates renewed');
  }

  private doubt(tried: string, fault: string) {
    if (this.suspect?.tried !== tried) this.suspect = { tried, told: false };
    else if (!this.suspect.told) {
      this.suspect.told = true;
      this.log.warn({ fault, ...this.described() }, 'the new certificates cannot be used; keeping the old');
    }
  }

  private remind() {
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
  const part = (name: keyof Tls) => {
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

function equal(one: Tls, other: Tls) {
  return one.cert === other.cert && one.key === other.key && one.ca === other.ca;
}
