import { type Config, type Environment, readConfig } from '../config/read-config.js';
import type { Variable } from '../config/variable.js';
import { grpcServerVariables, logVariables, mongodbVariables } from '../config/variables.js';
import { grpcServerFaults } from '../grpc/index.js';
import { telemetryVariables } from '../telemetry/index.js';

const baseVariables = { ...logVariables, ...telemetryVariables, ...grpcServerVariables, ...mongodbVariables };

/** The variables of every service; its own address and database differ in their defaults alone. */
interface BaseVariables {
  readonly GRPC_ADDRESS: Variable<string>;
  readonly MONGODB_DATABASE: Variable<string>;
}

/** What every service is configured with. */
export type ServiceConfig = Config<typeof baseVariables & BaseVariables>;

/** Finds what is wrong with variables beyond their form. */
type Check<Settings> = (config: Settings) => readonly string[];

/**
 * A reader of the variables of every service and of `own` ones. It throws a ConfigError with every fault, each once.
 */
export function serviceConfig<Own extends BaseVariables & Record<string, Variable<unknown>>>(
  own: Own,
  ...checks: Check<Config<typeof baseVariables & Own>>[]
): (env: Environment) => Config<typeof baseVariables & Own> {
  const variables = { ...baseVariables, ...own };
  const all = [...checks, grpcServerFaults as Check<Config<typeof variables>>];
  return (env) => readConfig(env, variables, (config) => [...new Set(all.flatMap((check) => check(config)))]);
}
