import { address, boolean, choice, integer, seconds, text, url } from './variable.js';

/** The variables of every process that writes a log. */
export const logVariables = {
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' }),
  LOG_PRETTY: boolean({ default: false, description: 'lines for people instead of JSON' }),
};

/**
 * The PEM certificates of a process that serves or calls gRPC: its own pair and the authorities of its peers. Changed
 * files are read again. Without any certificate gRPC uses plaintext.
 */
export const grpcTlsVariables = {
  GRPC_TLS_CERT: text({ optional: true, secret: true, description: 'PEM certificate chain' }),
  GRPC_TLS_KEY: text({ optional: true, secret: true, description: 'PEM private key' }),
  GRPC_TLS_CA: text({ optional: true, secret: true, description: 'PEM authorities of the other side' }),
  GRPC_TLS_CERT_FILE: text({ optional: true, description: 'file of the PEM certificate chain' }),
  GRPC_TLS_KEY_FILE: text({ optional: true, description: 'file of the PEM private key' }),
  GRPC_TLS_CA_FILE: text({ optional: true, description: 'file of the PEM authorities of the other side' }),
};

/** The variables that all gRPC servers share. `GRPC_ADDRESS` is not here, since its default differs for each server. */
export const grpcServerVariables = {
  ...grpcTlsVariables,
  GRPC_PLAINTEXT: boolean({ default: false, description: 'listen beyond loopback without TLS, for a mesh' }),
  GRPC_ACCESS: text({ optional: true, description: 'callers whose rights differ from those in the code' }),
  GRPC_REFLECTION: boolean({ default: true, description: 'describe the services to tools such as grpcurl' }),
  HEALTH_ADDRESS: address({
    optional: true,
    description: 'plaintext grpc.health.v1 alone, for probes that know no TLS',
  }),
  GRPC_STREAMS_PER_CALLER: integer({
    min: 1,
    max: 100_000,
    default: 2000,
    description: 'open streams of one method and caller; beyond it RESOURCE_EXHAUSTED',
  }),
  GRPC_MAX_CONNECTION_AGE_SECONDS: seconds({ min: 1, default: 300 }),
  DRAIN_DELAY_SECONDS: seconds({ max: 15, default: 0, description: 'unready, but serving, before a stop' }),
};

/** The variables of every process that has its own database. */
export const mongodbVariables = {
  MONGODB_URI: url({ schemes: ['mongodb', 'mongodb+srv'], secret: true, default: 'mongodb://127.0.0.1:27017' }),
};
