import { execFile } from 'node:child_process';

/** The oldest MongoDB that the services support. */
export const oldestMajor = 6;

/** Runs `mongod --version`, which fails for programs of another system or with missing libraries. */
export async function probeMongod(path: string): Promise<{ version: string } | { problem: string }> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      const version = /db version v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
      const said = `${stderr}${stdout}`.trim().split('\n')[0];
      resolve(version === undefined ? { problem: said || (error?.message ?? 'it printed no version') } : { version });
    });
  });
}

/** The first number of a version. MongoDB cannot open the data of another major version. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
