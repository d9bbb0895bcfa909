import {
  address,
  type Config,
  type Environment,
  grpcServerVariables,
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
  GRPC_ADDRESS: address({ default: '127.0.0.1:50051' }),
  MONGODB_DATABASE: text({ default: 'knowledge_content' }),
};

/** The configuration of the service. */
export type ContentConfig = Config<typeof variables>;

/** @throws ConfigError with every fault. */
export function readContentConfig(env: Environment): ContentConfig {
  return readConfig(env, variables, grpcServerFaults);
}
