import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import { ConfigError } from '../config/config-error.js';

/** PEM texts. A server needs its pair, and with a `ca` it asks its callers for theirs. A client needs the `ca`. */
export interface Tls {
  cert?: string | undefined;
  key?: string | undefined;
  /** The authority that the other side's certificate must come from. */
  ca?: string | undefined;
}

/** What `grpcTlsVariables` hold, as `serveGrpc` and `connectGrpc` take it; `undefined` if nothing is set. */
export function grpcTls(config: {
  GRPC_TLS_CERT: string | undefined;
  GRPC_TLS_KEY: string | undefined;
  GRPC_TLS_CA: string | undefined;
}): Tls | undefined {
  const { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: ca } = config;
  return cert === undefined && key === undefined && ca === undefined ? undefined : { cert, key, ca };
}

export function serverCredentials(tls: Tls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { cert, key, ca } = tls;
  if (cert === undefined || key === undefined) {
    throw new ConfigError(['GRPC_TLS_CERT and GRPC_TLS_KEY must both be set to serve gRPC with TLS.']);
  }
  const pair = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) };
  return ServerCredentials.createSsl(ca === undefined ? null : Buffer.from(ca), [pair], ca !== undefined);
}

export function channelCredentials(tls: Tls | undefined): ChannelCredentials {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  const { cert, key, ca } = tls;
  if (ca === undefined || (cert === undefined) !== (key === undefined)) {
    throw new ConfigError([
      'GRPC_TLS_CA must be set to call gRPC with TLS, GRPC_TLS_CERT and _KEY both or not at all.',
    ]);
  }
  return ChannelCredentials.createSsl(Buffer.from(ca), pem(key), pem(cert));
}

function pem(value: string | undefined): Buffer | null {
  return value === undefined ? null : Buffer.from(value);
}
