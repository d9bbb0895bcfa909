import { type Config, type Environment, list, mongodbVariables, readConfig } from '@knowledge/runtime';

const variables = {
  ...mongodbVariables,
  BACKUP_DATABASES: list({
    default: ['knowledge_content', 'knowledge_quota', 'knowledge_identity', 'knowledge_contributions'],
    of: 'names of databases',
    description: 'the databases that a backup contains',
  }),
};

export type OperationsConfig = Config<typeof variables>;

/** @throws ConfigError that lists every fault. */
export function readOperationsConfig(env: Environment): OperationsConfig {
  return readConfig(env, variables);
}
