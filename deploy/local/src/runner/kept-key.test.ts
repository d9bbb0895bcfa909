import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { keptKey } from './local.js';

const folder = ownFolder();

it('makes a key once, which only the owner can read', () => {
  const key = keptKey(folder);
  expect(key.length).toBeGreaterThanOrEqual(32);
  expect(keptKey(folder)).toBe(key);
  expect(statSync(join(folder, 'key.json')).mode & 0o077).toBe(0);
});

it('replaces a file that holds no key', () => {
  writeFileSync(join(folder, 'key.json'), '{"key": "short"}');
  expect(keptKey(folder).length).toBeGreaterThanOrEqual(32);
});
