import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Host } from './base/host.js';
import { runDesk } from './cli.js';

/** A command line that a parent process sends, and what it gets back. The number is the parent's. */
interface CommandLine {
  readonly number: number;
  readonly args: readonly string[];
}

/** Runs the command lines that the parent process sends, since a start of Node takes longer than most commands. */
export function runCommandLines(host: Host): void {
  process.on('message', async ({ number, args }: CommandLine) => {
    process.send?.({ number, ...(await runCaptured(args, host)) });
  });
}

/** Runs one command line. Returns its exit code and what it printed. */
export async function runCaptured(args: readonly string[], host: Omit<Host, 'stdout' | 'stderr'>) {
  const output = { stdout: new PassThrough(), stderr: new PassThrough() };
  const [code, stdout, stderr] = await Promise.all([
    runDesk(args, { ...host, ...output }).finally(() => {
      for (const stream of Object.values(output)) stream.end();
    }),
    text(output.stdout),
    text(output.stderr),
  ]);
  return { code, stdout, stderr };
}
