import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A service of the product as a real process, as it was last built. */
export interface ServiceProcess {
  readonly address: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Whether a service is built, so that a test can start it. */
export function isBuilt(name: string): boolean {
  return existsSync(mainOf(name));
}

/** Starts a built service on the tests' mongod. */
export async function startServiceProcess(
  name: string,
  database: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const shared = { MONGODB_URI: process.env.MONGODB_TEST_URI ?? '', MONGODB_DATABASE: database };
  let address = '127.0.0.1:0';
  let child: ChildProcess;
  const launch = async (): Promise<void> => {
    const full = { PATH: process.env.PATH, ...shared, GRPC_ADDRESS: address, LOG_LEVEL: 'info', ...env };
    child = spawn(process.execPath, [mainOf(name)], { env: full, stdio: ['ignore', 'pipe', 'inherit'] });
    address = await readyAddress(child, name);
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
    kill: () => end('SIGKILL'),
    restart: launch,
    close: () => end('SIGTERM'),
  };
}

function mainOf(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/dist/main.js`, import.meta.url));
}

/** Reads the log until it listens and is ready, and goes on reading so that the pipe never fills. */
function readyAddress(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready.`)));
    if (child.stdout === null) return reject(new Error('no output'));
    let address: string | undefined;
    let ready = false;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { message?: string; address?: string; ready?: boolean };
      if (entry.message === 'ready') address = entry.address;
      if (entry.message === 'readiness') ready = entry.ready === true;
      if (ready && address !== undefined) resolve(address);
    });
  });
}
