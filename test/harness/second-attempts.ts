import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/** Appends the tests that passed only at their second attempt to the file `SECOND_ATTEMPTS`, with the first failure. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export.
export default class SecondAttempts implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const file = process.env['SECOND_ATTEMPTS'];
    if (file === undefined || test.diagnostic()?.flaky !== true) return;
    const reason = test.result().errors?.[0]?.message?.split('\n', 3).join('\n      ') ?? '';
    appendFileSync(file, `  ${test.module.relativeModuleId}\n    ${test.fullName}\n      ${reason}\n`);
  }
}
