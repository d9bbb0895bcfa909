import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';

/** An empty folder, which ends with the file of tests. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same, empty for each test. */
export function freshFolder(): string {
  const folder = ownFolder();
  afterEach(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });
  return folder;
}
