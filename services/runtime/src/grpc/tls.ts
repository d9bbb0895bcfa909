import { ChannelCredentials, experimental, ServerCredentials } from '@grpc/grpc-js';
import { ConfigError } from '../config/config-error.js';
import type { Config } from '../config/read-config.js';
import type { grpcTlsVariables } from '../config/variables.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { CertificateFault } from './certificate-facts.js';
import { CertificateFiles, type CertificateSources } from './certificate-files.js';
import { Certificates } from './certificates.js';
import type { Tls } from './pem.js';

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

function toCertificates(tls: Tls | Certificates): Certificates {
  return tls instanceof Certificates ? tls : usable(() => new Certificates(tls), 'The certificates');
}

function usable<Value>(make: () => Value, what: string): Value {
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
