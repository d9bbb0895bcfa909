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
