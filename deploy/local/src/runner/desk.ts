import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Ports } from './ports.js';
import { grpcAddress, serviceNames } from './services.js';

/** Runs a command line of the desk and returns its output, parsed if it is JSON. */
export type Desk = (args: readonly string[]) => Promise<unknown>;

interface DeskOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** What a command line printed, and its exit code. */
interface Result {
  readonly number: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs command lines as an editor does, against the local services, all in one process. If that ends, the next one starts another. */
export function createDesk({ root, env, ports, signal }: DeskOptions): { readonly desk: Desk; close(): void } {
  const addresses = serviceNames.map((name) => [`KNOWLEDGE_${name.toUpperCase()}_ADDRESS`, grpcAddress(ports, name)]);
  const program = join(root, 'services', 'desk', 'bin', 'knowledge.mjs');
  const options: ForkOptions = {
    env: { ...env, ...Object.fromEntries(addresses), KNOWLEDGE_ACTOR: 'desk:sample' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
    // A command can be repeated, so a stop does not wait until one has ended in order.
    killSignal: 'SIGKILL',
  };
  const waiting = new Map<number, (result: Result | Error) => void>();
  let last = 0;
  let child: ChildProcess | undefined;

  const open = () => {
    const opened = fork(program, [], options);
    opened.on('message', (result: Result) => waiting.get(result.number)?.(result));
    const end = (why: unknown) => {
      if (child === opened) child = undefined;
      for (const settle of waiting.values()) settle(new Error(`The desk ended: ${why}`));
    };
    opened.on('error', end).once('exit', (code, name) => end(name ?? `exit code ${code}`));
    return opened;
  };

  const run = (args: readonly string[]) => {
    signal.throwIfAborted();
    child ??= open();
    const number = ++last;
    const result = new Promise<Result>((resolve, reject) => {
      waiting.set(number, (settled) => (settled instanceof Error ? reject(settled) : resolve(settled)));
    });
    // An error means that the process ends, which `open` notices.
    child.send({ number, args }, () => undefined);
    return result.finally(() => waiting.delete(number));
  };

  return {
    desk: async (args) => {
      const { code, stdout, stderr } = await run(args);
      const answer = parse(stdout);
      // An import that refused some files ends with 1 and lists them in its output.
      if (code === 0 || (code === 1 && answer !== undefined)) return answer;
      throw new Error(`knowledge ${args.slice(0, 2).join(' ')}: ${(stderr || stdout).trim()}`);
    },
    close: () => child?.disconnect(),
  };
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
