import { type Config, type Environment, readConfig } from '../config/read-config.js';
import type { Variable } from '../config/variable.js';
import { grpcServerVariables, logVariables, mongodbVariables } from '../config/variables.js';
import { grpcServerFaults } from '../grpc/index.js';
import { telemetryVariables } from '../telemetry/index.js';

const baseVariables = { ...logVariables, ...telemetryVariables, ...grpcServerVariables, ...mongodbVariables };

/** The variables whose defaults differ between the services. */
interface BaseVariables {
  readonly GRPC_ADDRESS: Variable<string>;
  readonly MONGODB_DATABASE: Variable<string>;
}

/** The configuration that all services share. */
export type ServiceConfig = Config<typeof baseVariables & BaseVariables>;

/** Finds faults that the types of the variables cannot show. */
type Check<Settings> = (config: Settings) => readonly string[];

/** Makes a reader of the shared variables and `own` ones. It throws one ConfigError with every fault. */
export function serviceConfig<Own extends BaseVariables & Record<string, Variable<unknown>>>(
  own: Own,
  ...checks: Check<Config<typeof baseVariables & Own>>[]
): (env: Environment) => Config<typeof baseVariables & Own> {
  const variables = { ...baseVariables, ...own };
  const all = [...checks, grpcServerFaults as Check<Config<typeof variables>>];
  return (env) => readConfig(env, variables, (config) => [...new Set(all.flatMap((check) => check(config)))]);
}
