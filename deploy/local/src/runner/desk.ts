import { type ExecFileException, execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Ports } from './ports.js';
import { grpcAddress, serviceNames } from './services.js';

/** Runs a desk command and returns its output, parsed if it is JSON. */
export type Desk = (args: readonly string[]) => Promise<unknown>;

interface DeskOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

const run = promisify(execFile);

/** Runs the desk as an editor does, one process for each command, against the local services. */
export function createDesk({ root, env, ports, signal }: DeskOptions): Desk {
  const addresses = serviceNames.map((name) => [`KNOWLEDGE_${name.toUpperCase()}_ADDRESS`, grpcAddress(ports, name)]);
  const program = join(root, 'services', 'desk', 'bin', 'knowledge.mjs');
  const options = {
    env: { ...env, ...Object.fromEntries(addresses), KNOWLEDGE_ACTOR: 'desk:sample' },
    signal,
    // A command can be repeated, so a stop does not wait until one has ended in order.
    killSignal: 'SIGKILL' as const,
    maxBuffer: 100_000_000,
  };
  return async (args) => {
    try {
      return parse((await run(process.execPath, [program, ...args], options)).stdout);
    } catch (error) {
      const { code, stdout = '', stderr = '', message } = error as ExecFileException;
      // An import that refused some files ends with 1 and lists them in its output.
      const answer = parse(stdout);
      if (code === 1 && answer !== undefined) return answer;
      throw new Error(`knowledge ${args.slice(0, 2).join(' ')}: ${(stderr || stdout).trim() || message}`);
    }
  };
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
