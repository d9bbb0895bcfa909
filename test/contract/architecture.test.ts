import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

test('the import rules hold in every package', async () => {
  const folders = readdirSync(`${root}/services`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const services = folders.map(({ name }) => `services/${name}/src`);
  const { stdout } = await cruise(['gateway/src', 'proto/src', 'deploy/local/src', ...services]);
  const { summary } = JSON.parse(stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  expect(summary.totalCruised).toBeGreaterThan(100);
});

function cruise(folders: string[]): Promise<{ stdout: string }> {
  const args = [
    '--no-install',
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    ...folders,
  ];
  // depcruise ends with the number of violations; its report says more than that.
  return run('npx', args, { cwd: root, maxBuffer: 256 * 1024 * 1024 }).catch((error: { stdout?: string }) => {
    if (error.stdout?.startsWith('{')) return { stdout: error.stdout };
    throw error;
  });
}
