import { type Config, type Environment, readConfig } from '../config/read-config.js';
import type { Variable } from '../config/variable.js';
import { grpcServerVariables, logVariables, mongodbVariables } from '../config/variables.js';
import { grpcServerFaults } from '../grpc/index.js';
import { telemetryVariables } from '../telemetry/index.js';

const baseVariables = { ...logVariables, ...telemetryVariables, ...grpcServerVariables, ...mongodbVariables };

/** The shared variables whose defaults differ between the services. */
interface BaseVariables {
  readonly GRPC_ADDRESS: Variable<string>;
  readonly MONGODB_DATABASE: Variable<string>;
}

/** The configuration that every service has. */
export type ServiceConfig = Config<typeof baseVariables & BaseVariables>;

/** Finds faults in the configuration that the types of the variables do not find. */
type Check<Settings> = (config: Settings) => readonly string[];

/** Makes a function that reads the shared variables and those in `own`. It throws one ConfigError with all faults. */
export function serviceConfig<Own extends BaseVariables & Record<string, Variable<unknown>>>(
  own: Own,
  ...checks: Check<Config<typeof baseVariables & Own>>[]
): (env: Environment) => Config<typeof baseVariables & Own> {
  const variables = { ...baseVariables, ...own };
  const all = [...checks, grpcServerFaults as Check<Config<typeof variables>>];
  return (env) => readConfig(env, variables, (config) => [...new Set(all.flatMap((check) => check(config)))]);
}
