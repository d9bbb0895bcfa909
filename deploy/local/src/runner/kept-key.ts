import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';

/** The secret key of a data directory. The first start makes it. */
export function keptKey(dataDir: string): string {
  const path = join(dataDir, 'key.json');
  const { key } = (readJsonFile(path) ?? {}) as { key?: unknown };
  if (typeof key === 'string' && key.length >= shortest) return key;
  const made = randomBytes(32).toString('hex');
  writeJsonFile(path, { key: made });
  return made;
}

const shortest = 32;
