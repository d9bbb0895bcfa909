import { readFileSync } from 'node:fs';
import { customCleanEnv, EnvMissingError } from 'envalid';
import type { Variable } from './variable.js';

/** The parsed values of declared variables. */
export type Config<S> = { readonly [Name in keyof S]: S[Name] extends Variable<infer Value> ? Value : never };

/** Environment variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every variable of the specification and reports all faults together. An empty variable is treated as absent.
 * `NAME_FILE` names a file that contains the value of `NAME`, as mounted secrets do. Setting both is a fault.
 *
 * @throws ConfigError with one line for each fault: the name, the fault and the expected value.
 */
export function readConfig<S extends Record<string, Variable<unknown>>>(
  env: Environment,
  specification: S,
  check?: (config: Config<S>) => readonly string[],
): Config<S> {
  const faults = new Map<string, string>();
  const given: Record<string, string> = {};
  for (const name of Object.keys(specification)) {
    try {
      const value = lookUp(env, name, Object.hasOwn(specification, `${name}_FILE`));
      if (value !== undefined) given[name] = value;
    } catch (error) {
      faults.set(name, `${name} ${(error as Error).message}`);
    }
  }
  const config = customCleanEnv(given, specification, (cleaned) => ({ ...cleaned }) as Record<string, unknown>, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) {
        if (error !== undefined && !faults.has(name)) faults.set(name, describe(name, specification, given, error));
      }
    },
  });
  if (faults.size > 0) throw new ConfigError([...faults.values()]);
  const read = Object.freeze(config) as Config<S>;
  const broken = check?.(read) ?? [];
  if (broken.length > 0) throw new ConfigError(broken);
  return read;
}

function lookUp(env: Environment, name: string, fileIsItsOwnVariable: boolean): string | undefined {
  const value = env[name] === '' ? undefined : env[name];
  const file = fileIsItsOwnVariable ? undefined : env[`${name}_FILE`];
  if (file === undefined || file === '') return value;
  if (value !== undefined) throw new Error(`and ${name}_FILE are both set; expected one of them`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    throw new Error(`cannot be read from ${name}_FILE (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}

function describe(
  name: string,
  specification: Record<string, Variable<unknown>>,
  given: Record<string, string>,
  error: Error,
): string {
  const variable = specification[name];
  const expected = `expected ${variable?.expected ?? 'another value'}${variable?.desc ? ` (${variable.desc})` : ''}`;
  if (error instanceof EnvMissingError) return `${name} is missing; ${expected}`;
  const shown = variable?.secret ? 'has a value that cannot be used' : `is ${JSON.stringify(given[name])}`;
  return `${name} ${shown}; ${expected}`;
}

/** The configuration has faults. `runMain` prints them and ends the process before it listens. */
export class ConfigError extends Error {
  /** One readable line for each fault. No line shows the value of a secret. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}
