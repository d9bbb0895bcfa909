import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from '@knowledge/runtime/testing';
import { describe, test } from 'vitest';
import { blocksOf, root } from '../e2e/documents-run/blocks.js';

const run = promisify(execFile);

/** The command that shows whether the tools and the registry of a client are available. */
const needs: Record<string, readonly string[]> = {
  'python-client': ['python3', '-m', 'pip', 'index', 'versions', 'grpcio-tools'],
  'go-client': ['go', 'list', '-m', 'google.golang.org/grpc@v1.75.1'],
};

/** CI must have the language and its registry. On other machines the client is skipped if they are missing. */
function isLeftOut(command: string, args: readonly string[]): boolean {
  return process.env['CI'] === undefined && spawnSync(command, args, { cwd: tmpdir(), timeout: 60_000 }).status !== 0;
}

const folder = ownFolder();

describe.concurrent('services/README.md: the lines that generate a client', () => {
  test.for(Object.entries(needs))(
    '%s: work in an empty folder',
    { timeout: 240_000 },
    async ([name, [command = '', ...args]], { skip }) => {
      const block = blocksOf('services/README.md').find((each) => each.name === name);
      if (block === undefined) throw new Error(`No block ${name} in services/README.md.`);
      skip(isLeftOut(command, args), `${command} or its package registry is not here`);
      // Go's read-only modules are in Go's own cache, so this folder can be deleted.
      const cwd = mkdtempSync(join(folder, 'client-'));
      await run('bash', ['-e', '-o', 'pipefail', '-c', block.text], { cwd, env: { ...process.env, REPO: root } });
    },
  );
});
