import type { Config } from '../config/read-config.js';
import type { grpcServerVariables } from '../config/variables.js';
import { readAccess } from './access.js';
import type { ServeOptions } from './serve.js';
import { grpcTls } from './tls.js';

/** What `grpcServerVariables` hold, to be spread into the options of `serveGrpc`. */
export function grpcServerConfig(
  config: Config<typeof grpcServerVariables>,
): Pick<ServeOptions, 'tls' | 'access' | 'plaintext' | 'reflection' | 'maxConnectionAgeSeconds' | 'drainDelaySeconds'> {
  return {
    tls: grpcTls(config),
    access: readAccess(config.GRPC_ACCESS),
    plaintext: config.GRPC_PLAINTEXT,
    reflection: config.GRPC_REFLECTION,
    maxConnectionAgeSeconds: config.GRPC_MAX_CONNECTION_AGE_SECONDS,
    drainDelaySeconds: config.DRAIN_DELAY_SECONDS,
  };
}
