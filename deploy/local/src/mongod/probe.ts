import { execFile } from 'node:child_process';

/** MongoDB below this cannot do what the services ask of it. */
export const OLDEST_MAJOR = 6;

/** Runs `mongod --version`: a binary for another system, or one whose libraries are missing, is found out here. */
export async function probeMongod(path: string): Promise<{ version: string } | { problem: string }> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      const version = /db version v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
      const said = `${stderr}${stdout}`.trim().split('\n')[0];
      resolve(version === undefined ? { problem: said || (error?.message ?? 'it printed no version') } : { version });
    });
  });
}

/** The first number of a version: data written under one is not opened under another. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
