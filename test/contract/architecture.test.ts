import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { roomsInCircles } from '../harness/rooms.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Report {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[];
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { rule: { name: string }; from: string; to: string }[];
  };
}

const services = readdirSync(`${root}/services`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const report = await cruise([
  'gateway/src',
  'proto/src',
  'deploy/local/src',
  'deploy/operations/src',
  'test',
  ...services.map(({ name }) => `services/${name}/src`),
]);

test('every package keeps the import rules', () => {
  const { summary } = report;
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  expect(summary.totalCruised).toBeGreaterThan(100);
});

test('no two files or folders of a package import each other, not even types', () => {
  const imports = report.modules
    .filter(({ source }) => !source.endsWith('.test.ts'))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));
  expect(imports.length).toBeGreaterThan(1_000);
  expect(roomsInCircles(imports)).toEqual([]);
});

async function cruise(folders: string[]): Promise<Report> {
  const args = ['--no-install', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  // depcruise exits with the number of violations. Its report is on standard output.
  const { stdout } = await run('npx', [...args, ...folders], { cwd: root, maxBuffer: 256 * 1024 * 1024 }).catch(
    (error: { stdout?: string }) => {
      if (error.stdout?.startsWith('{')) return { stdout: error.stdout };
      throw error;
    },
  );
  return JSON.parse(stdout) as Report;
}
