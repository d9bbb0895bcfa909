import {
  address,
  type Config,
  grpcServerVariables,
  logVariables,
  mongodbVariables,
  readConfig,
  target,
  text,
} from '@knowledge/runtime';

const variables = {
  ...logVariables,
  ...grpcServerVariables,
  ...mongodbVariables,
  GRPC_ADDRESS: address({ default: '127.0.0.1:50054' }),
  MONGODB_DATABASE: text({ default: 'knowledge_contributions' }),
  CONTENT_ADDRESS: target({ default: '127.0.0.1:50051', description: 'where published work goes' }),
  QUOTA_ADDRESS: target({ default: '127.0.0.1:50052', description: 'who counts contributions' }),
};

/** The configuration of the service. */
export type ContributionsConfig = Config<typeof variables>;

/** @throws ConfigError with every fault. */
export function readContributionsConfig(env: Readonly<Record<string, string | undefined>>): ContributionsConfig {
  return readConfig(env, variables);
}
