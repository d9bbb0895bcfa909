import {
  address,
  type Config,
  type Environment,
  grpcServerVariables,
  integer,
  logVariables,
  mongodbVariables,
  readConfig,
  text,
} from '@knowledge/runtime';
import { grpcServerFaults } from '@knowledge/runtime/grpc';
import { telemetryVariables } from '@knowledge/runtime/telemetry';

const variables = {
  ...logVariables,
  ...telemetryVariables,
  ...grpcServerVariables,
  ...mongodbVariables,
  GRPC_ADDRESS: address({ default: '127.0.0.1:50052' }),
  MONGODB_DATABASE: text({ default: 'knowledge_quota' }),
  QUOTA_ANONYMOUS_PER_ADDRESS: integer({
    min: 0,
    max: 1_000_000_000,
    default: 0,
    description: 'anonymous reads of one address a day, over all its client ids; 0 is off',
  }),
  AUTHORIZE_PER_ADDRESS: integer({
    min: 0,
    max: 1_000_000_000,
    default: 0,
    description: 'authorize requests, and as many mails with links, that one address asks for an hour; 0 is off',
  }),
};

/** The configuration of the service. */
export type QuotaConfig = Config<typeof variables>;

/** @throws ConfigError with every fault. */
export function readQuotaConfig(env: Environment): QuotaConfig {
  return readConfig(env, variables, grpcServerFaults);
}
