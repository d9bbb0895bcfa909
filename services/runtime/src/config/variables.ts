import { boolean, choice, seconds, text, url } from './variable.js';

/** The variables of every process that writes a log. */
export const logVariables = {
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' }),
  LOG_PRETTY: boolean({ default: false, description: 'lines for people instead of JSON' }),
};

/**
 * The certificates of a process that serves or calls gRPC, as PEM (usually by `…_FILE`): its own pair, and the authority
 * that the other side must come from. With none of them gRPC is plaintext.
 */
export const grpcTlsVariables = {
  GRPC_TLS_CERT: text({ optional: true, secret: true, description: 'PEM certificate chain' }),
  GRPC_TLS_KEY: text({ optional: true, secret: true, description: 'PEM private key' }),
  GRPC_TLS_CA: text({ optional: true, secret: true, description: 'PEM authority of the other side' }),
};

/** The variables of every gRPC server, besides its `GRPC_ADDRESS`, whose default differs. */
export const grpcServerVariables = {
  ...grpcTlsVariables,
  GRPC_PLAINTEXT: boolean({ default: false, description: 'listen beyond loopback without TLS, for a mesh' }),
  GRPC_ACCESS: text({ optional: true, description: 'who may call what under mutual TLS' }),
  GRPC_REFLECTION: boolean({ default: true, description: 'describe the services to tools such as grpcurl' }),
  GRPC_MAX_CONNECTION_AGE_SECONDS: seconds({ min: 1, default: 300 }),
  DRAIN_DELAY_SECONDS: seconds({ max: 15, default: 0, description: 'unready, but serving, before a stop' }),
};

/** The variables of every owner of a database. */
export const mongodbVariables = {
  MONGODB_URI: url({ schemes: ['mongodb', 'mongodb+srv'], secret: true, default: 'mongodb://127.0.0.1:27017' }),
};
