import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Ports } from './ports.js';
import { grpcAddress, serviceNames } from './services.js';

/** Runs a desk command and returns its output, parsed if it is JSON. */
export type Desk = (args: readonly string[]) => Promise<unknown>;

export interface DeskOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** The exit code of an import that refused some files; its output lists them. */
const refusedExitCode = 1;

/** Runs the desk as an editor does, one process for each command, against the local services. */
export function createDesk({ root, env, ports, signal }: DeskOptions): Desk {
  const addresses = serviceNames.map((name) => [`KNOWLEDGE_${name.toUpperCase()}_ADDRESS`, grpcAddress(ports, name)]);
  const program = join(root, 'services', 'desk', 'bin', 'knowledge.mjs');
  return async (args) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...env, ...Object.fromEntries(addresses), KNOWLEDGE_ACTOR: 'desk:sample' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
    const [code, output, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    const answer = parse(output);
    if (code === 0 || (code === refusedExitCode && answer !== undefined)) return answer;
    const said = (complaint || output).trim() || `exit code ${code}`;
    throw new Error(`knowledge ${args.slice(0, 2).join(' ')}: ${said}`);
  };
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
