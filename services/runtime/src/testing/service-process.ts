import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A built service that runs in its own process. */
export interface ServiceProcess {
  readonly address: string;
  /** The log lines that the process has written. */
  readonly output: readonly string[];
  /** Kills the process without warning, like a crash. */
  kill(): Promise<void>;
  /** Starts the process again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a built service on a test database. Resolves when it is ready.
 *
 * @throws Error if the service is not built.
 */
export async function startServiceProcess(
  name: string,
  database: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  if (!existsSync(mainOf(name))) throw new Error(`The ${name} service is not built: run npm run build.`);
  const output: string[] = [];
  const shared = { MONGODB_URI: process.env.MONGODB_TEST_URI ?? '', MONGODB_DATABASE: database };
  let address = '127.0.0.1:0';
  let child: ChildProcess;
  const launch = async (): Promise<void> => {
    const full = { PATH: process.env.PATH, ...shared, GRPC_ADDRESS: address, LOG_LEVEL: 'info', ...env };
    child = spawn(process.execPath, [mainOf(name)], { env: full, stdio: ['ignore', 'pipe', 'inherit'] });
    const orphan = child;
    const killOrphan = () => void orphan.kill('SIGKILL');
    process.once('exit', killOrphan);
    child.once('exit', () => process.removeListener('exit', killOrphan));
    address = await readyAddress(child, name, output).catch((error: unknown) => {
      orphan.kill('SIGKILL');
      throw error;
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  await launch();
  return {
    get address() {
      return address;
    },
    output,
    kill: () => end('SIGKILL'),
    restart: launch,
    close: () => end('SIGTERM'),
  };
}

/** Shorter than the time limit of a test hook, so that this error appears first. */
const readyMs = 45_000;

function mainOf(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/bundle/main.js`, import.meta.url));
}

/** Reads the log until the service is ready. Later lines are read too, so that the pipe never fills. */
function readyAddress(child: ChildProcess, name: string, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => {
      reject(new Error(`${name} was not ready within ${readyMs} ms; its last line: ${output.at(-1)}`));
    }, readyMs);
    const begin = (at: string): void => {
      clearTimeout(giveUp);
      resolve(at);
    };
    child.once('exit', (code) => {
      clearTimeout(giveUp);
      reject(new Error(`${name} ended with ${code} before it was ready.`));
    });
    if (child.stdout === null) return reject(new Error('no output'));
    let address = '';
    let ready = false;
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const { message, ...facts } = JSON.parse(line) as { message: string; address?: string; ready?: boolean };
      if (message === 'listening') address = facts.address ?? '';
      if (message === 'readiness') ready = facts.ready === true;
      if (ready && address !== '') begin(address);
    });
  });
}
