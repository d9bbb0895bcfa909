import {
  address,
  type Config,
  choice,
  type Environment,
  grpcServerVariables,
  integer,
  logVariables,
  mongodbVariables,
  operatorFaults,
  operatorVariables,
  readConfig,
  target,
  text,
  url,
} from '@knowledge/runtime';
import { grpcClientFaults, grpcServerFaults } from '@knowledge/runtime/grpc';
import { mailFaults, mailVariables } from '@knowledge/runtime/mail';
import { telemetryVariables } from '@knowledge/runtime/telemetry';

const variables = {
  ...logVariables,
  ...telemetryVariables,
  ...grpcServerVariables,
  ...mongodbVariables,
  ...mailVariables,
  ...operatorVariables,
  GRPC_ADDRESS: address({ default: '127.0.0.1:50053' }),
  MONGODB_DATABASE: text({ default: 'knowledge_identity' }),
  QUOTA_ADDRESS: target({ default: '127.0.0.1:50052', description: 'who counts authorization requests' }),
  PUBLIC_URL_IO: url({ default: 'http://localhost:8080', description: 'the base URL of the site io' }),
  PUBLIC_URL_ORG: url({ default: 'http://localhost:8080', description: 'the base URL of the site org' }),
  CONFIRM_USER_CODE: choice(['never', 'page', 'always'], {
    default: 'never',
    description: 'where humans must type the code of their agent',
  }),
  CODE_TTL_MINUTES: integer({ min: 1, max: 1440, default: 30, description: 'how long a mailed link works' }),
};

/** The configuration of the service. */
export type IdentityConfig = Config<typeof variables>;

/** @throws ConfigError with every fault. */
export function readIdentityConfig(env: Environment): IdentityConfig {
  return readConfig(env, variables, (config) => [
    ...mailFaults(config),
    ...operatorFaults(config),
    ...new Set([...grpcServerFaults(config), ...grpcClientFaults(config)]),
    ...(['PUBLIC_URL_IO', 'PUBLIC_URL_ORG'] as const).flatMap((name) => {
      const { search, hash, username } = new URL(config[name]);
      return search || hash || username ? [`${name} has a query, a fragment or a user; expected a plain base URL`] : [];
    }),
  ]);
}
