import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes to the file `CI_REPORT` what passed and failed in each test file, also in hooks. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export.
export default class CiReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: Parameters<NonNullable<Reporter['onTestRunEnd']>>[1]): void {
    const files = modules.map((module) => ({
      file: module.moduleId,
      passed: [...module.children.allTests('passed')].length,
      failed: [
        ...reasons('the file', module.errors()),
        ...[...module.children.allSuites()].flatMap((suite) => reasons(`hooks of ${suite.fullName}`, suite.errors())),
        ...[...module.children.allTests('failed')].flatMap((test) => reasons(test.fullName, test.result().errors)),
      ],
    }));
    const beside = { file: 'no file', passed: 0, failed: reasons('beside all tests', unhandled) };
    writeFileSync(process.env['CI_REPORT'] ?? 'ci-report.json', JSON.stringify([...files, beside]));
  }
}

/** A failed test counts as one, however many errors it has. */
function reasons(name: string, errors: readonly Failure[] = []): object[] {
  const reason = errors.flatMap(linesOf).slice(0, 14).join('\n      ');
  return errors.length === 0 ? [] : [{ name, reason }];
}

interface Failure {
  readonly message: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

function linesOf({ message, stack, cause }: Failure): string[] {
  const places = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const before = cause === undefined ? [] : linesOf(cause as Failure).map((line) => `  ${line}`);
  return [...message.split('\n'), ...places.slice(0, 3), ...before];
}
