import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Every executable `mongod` on `PATH`, in its order. */
export function mongodsOnPath(env: NodeJS.ProcessEnv): string[] {
  const name = process.platform === 'win32' ? 'mongod.exe' : 'mongod';
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, name))
    .filter(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
