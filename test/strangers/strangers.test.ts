import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFolder } from '@knowledge/runtime/testing';
import { expect, test } from 'vitest';
import { freshEmail } from '../harness/agent.js';
import { call } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';

const seconds = Number(process.env['STRANGERS_SECONDS'] ?? 45);
const cases = process.env['STRANGERS_CASES'] ?? '15';
const seed = process.env['STRANGERS_SEED'] ?? '1';

const system = await ownSystem();
await seedReading(system);
const folder = ownFolder();
const served = join(folder, 'openapi.json');
const { text: openApi, json } = await call(`${system.url}/api/v1/openapi.json`);
writeFileSync(served, openApi);
const all = Object.values<object>(json.paths).flatMap((methods) => Object.values<Operation>(methods as never));
const operations = all.length;
/** The number of operations that need a token. */
const guarded = all.filter(({ security }) => JSON.stringify(security) === '[{"bearer":[]}]').length;

test('Redocly finds no problem in the served OpenAPI document', async () => {
  const { code, output } = await run('redocly', ['lint', served, '--config', configOf('redocly.yaml')]);
  expect(output).toMatch(/description is valid/);
  expect({ code, warnings: /You have (?!0)\d+ warnings?/.exec(output) }, output).toEqual({ code: 0, warnings: null });
});

test('Spectral finds no problem in the served OpenAPI document', async () => {
  const args = ['lint', served, '--ruleset', configOf('spectral.yaml'), '--fail-severity=hint'];
  const { code, output } = await run('spectral', args);
  expect(output).toMatch(/No results with a severity of 'hint' or higher found!/);
  expect(code, output).toBe(0);
});

// Schemathesis stops by itself after `seconds`. The rest of the limit is for its last requests.
const long = (seconds + 120) * 1000;

test('Schemathesis without a token finds no 5xx and no response outside its schema', { timeout: long }, async () => {
  await expectNothingFound({ tested: operations, skipped: 0 }, []);
});

test('Schemathesis with a token finds no 5xx and no response outside its schema', { timeout: long }, async () => {
  const token = await system.issueToken(freshEmail());
  // Revoking the token would break the other operations. The run without a token calls `revokeToken`.
  const kept = ['--exclude-operation-id', 'revokeToken'];
  // Schemathesis makes two more requests for each operation with a token: without one and with a wrong one. It reports
  // those that its time suffices for as skipped. It never makes them for `reviseContribution`, which succeeds only after
  // a moderator asked for changes.
  const counts = { tested: operations - 1, skipped: 2 * (guarded - 2) };
  await expectNothingFound(counts, ['--header', `Authorization: Bearer ${token}`, ...kept]);
});

test('all processes still work, and none logged an internal error', async () => {
  expect((await call(`${system.url}/api/v1/content?site=org`)).status).toBe(200);
  const errors = system
    .logs()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line));
  expect(errors).toEqual([]);
});

interface Operation {
  readonly security?: unknown;
}

interface Counts {
  readonly tested: number;
  readonly skipped: number;
}

async function expectNothingFound({ tested, skipped }: Counts, more: readonly string[]): Promise<void> {
  const bounds = ['--max-examples', cases, '--max-time', String(seconds), '--seed', seed];
  const { code, output } = await run('schemathesis', [
    ...['--config-file', configOf('schemathesis.toml'), 'run', served],
    ...['--url', system.url, '--generation-database', 'none', '--no-color', '--continue-on-failure'],
    ...bounds,
    ...more,
  ]);
  process.stderr.write(`Schemathesis: ${/\d+ generated.*/.exec(output)?.[0]}, seed ${seed}\n`);
  expect(code, output.slice(-20_000)).toBe(0);
  expect(Number(/Tested: (\d+)/.exec(output)?.[1])).toBe(tested);
  expect(Number(/generated.* (\d+) skipped/.exec(output)?.[1] ?? 0)).toBeLessThanOrEqual(skipped);
  expect(Number(/(\d+) generated/.exec(output)?.[1])).toBeGreaterThan(100);
}

/** Runs a program that tools.sh installed, in a temporary folder. */
function run(name: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const program = join(cache, 'knowledge/strangers', name);
  if (!existsSync(program)) throw new Error(`${name} is missing: run test/strangers/tools.sh`);
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    SCARF_ANALYTICS: 'false',
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

function configOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
