import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a JSON file in one step, so that a reader sees the old or the new content and never a part.
 * Synchronous on purpose: what it records (pids, ports) must be on disk before the next thing is started.
 * The file is readable by its owner only, since an operator's database address may hold a password.
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

/** Gives the parsed content, or undefined where there is no such file or it holds no JSON. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
