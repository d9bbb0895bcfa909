import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ownFolder } from '@knowledge/runtime/testing';
import { beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../deploy/local/bin/install.mjs', import.meta.url));
const clone = ownFolder();
const program = join(clone, 'deploy/local/bin/install.mjs');

const write = (path: string, content: object): void => writeFileSync(join(clone, path), JSON.stringify(content));

beforeAll(async () => {
  mkdirSync(join(clone, 'part'));
  mkdirSync(join(clone, 'deploy/local/bin'), { recursive: true });
  copyFileSync(source, program);
  write('part/package.json', { name: 'part', version: '1.0.0' });
  await run('npm', ['pack', './part'], { cwd: clone });
  write('package.json', { name: 'clone', private: true, dependencies: { part: 'file:part-1.0.0.tgz' } });
  await run('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], { cwd: clone });
}, 60_000);

test('npm ci runs where packages are missing or not those of the lock file, and only there', async () => {
  const install = async () => (await run(process.execPath, [program], { cwd: tmpdir() })).stdout;
  expect(await install()).toMatch(/^Installing the packages of package-lock\.json \(npm ci\) …\n.*added 1 package/s);
  expect(await install()).toBe('');
  // As before a pull that brought a newer package.
  write('node_modules/.package-lock.json', { packages: { 'node_modules/part': { version: '0.9.0' } } });
  expect(await install()).toContain('npm ci');
  expect(await install()).toBe('');
  rmSync(join(clone, 'node_modules'), { recursive: true });
  expect(await install()).toContain('npm ci');
  // What npm cannot install ends the command.
  write('package-lock.json', {});
  await expect(install()).rejects.toMatchObject({ code: 1 });
});
