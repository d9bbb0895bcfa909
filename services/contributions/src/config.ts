import {
  address,
  type Config,
  type Environment,
  grpcServerVariables,
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
  GRPC_ADDRESS: address({ default: '127.0.0.1:50054' }),
  MONGODB_DATABASE: text({ default: 'knowledge_contributions' }),
  CONTENT_ADDRESS: target({ default: '127.0.0.1:50051', description: 'where published work goes' }),
  QUOTA_ADDRESS: target({ default: '127.0.0.1:50052', description: 'who counts contributions' }),
  IDENTITY_ADDRESS: target({ default: '127.0.0.1:50053', description: 'who tells which access ended' }),
  PUBLIC_URL_IO: url({ default: 'http://localhost:8080', description: 'the base of links to the site io in mails' }),
  PUBLIC_URL_ORG: url({ default: 'http://localhost:8080', description: 'the base of links to the site org in mails' }),
};

/** The configuration of the service. */
export type ContributionsConfig = Config<typeof variables>;

/** @throws ConfigError with every fault. */
export function readContributionsConfig(env: Environment): ContributionsConfig {
  return readConfig(env, variables, (config) => [
    ...mailFaults(config),
    ...operatorFaults(config),
    ...new Set([...grpcServerFaults(config), ...grpcClientFaults(config)]),
  ]);
}
