import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a JSON file in one step: readers see the old or the new content, never a part.
 * Synchronous, because pids and ports must be on disk before the next process starts.
 * Only the owner can read the file, since a database address may contain a password.
 */
export function writeJsonFile(path: string, value: unknown): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns the parsed content; undefined if the file is missing or is no JSON. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
