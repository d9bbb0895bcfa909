import { execFile } from 'node:child_process';

/** MongoDB below this cannot do what the services ask of it. */
export const OLDEST_MAJOR = 6;

export type Probe =
  | { readonly runs: true; readonly version: string }
  | { readonly runs: false; readonly problem: string };

/** Runs `mongod --version`: a binary for another system, or one whose libraries are missing, is found out here. */
export async function probeMongod(path: string): Promise<Probe> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      const version = /db version v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
      if (version !== undefined) {
        resolve({ runs: true, version });
        return;
      }
      const said = `${stderr}${stdout}`.trim().split('\n')[0];
      resolve({ runs: false, problem: said || (error?.message ?? 'it printed no version') });
    });
  });
}

/** The first number of a version: data written under one is not opened under another. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
