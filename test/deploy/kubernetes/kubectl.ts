import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of a real one-node cluster next to the repository; it may not exist. */
const kubeNode = `${root}../shared/tools/kube-node`;
const kubeNodeConfig = '/var/lib/kube-node/admin.conf';

/** One namespace of a cluster, through kubectl. */
export interface Cluster {
  readonly namespace: string;
  /** Runs kubectl in the namespace. Returns its output. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Runs kubectl in the namespace. Returns its parsed JSON output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only a few fields of the objects.
  get(...args: string[]): Promise<any>;
  /** Forwards a port on loopback to a pod or service. */
  forward(target: string, port: number, local?: number): Promise<Forward>;
  /** Loads images of the local engine into the cluster next to the repository. For other clusters it does nothing. */
  load(images: readonly string[]): Promise<void>;
}

/** A local port that kubectl forwards to the cluster. */
export interface Forward {
  readonly address: string;
  close(): Promise<void>;
}

/** Uses the cluster of `KUBECONFIG`. Without it, starts the cluster next to the repository. */
export async function openCluster(namespace: string): Promise<Cluster> {
  let kubeconfig = process.env['KUBECONFIG'];
  let path = process.env['PATH'];
  const own = kubeconfig === undefined || kubeconfig === kubeNodeConfig;
  if (own) {
    if (!existsSync(kubeNode)) throw new Error('Set KUBECONFIG to a cluster on which the system may be tried.');
    const { stdout } = await run(kubeNode, ['up'], { timeout: 900_000 });
    // If no kubectl is installed, uses that of the cluster.
    path = [/^export PATH=([^:\n]+)/m.exec(stdout)?.[1], path].filter(Boolean).join(':');
    kubeconfig = kubeNodeConfig;
  }
  const env = { ...process.env, PATH: path, KUBECONFIG: kubeconfig };
  const kubectl = async (args: readonly string[], input?: string): Promise<string> => {
    const running = run('kubectl', ['--namespace', namespace, ...args], { env, maxBuffer: 64 * 1024 * 1024 });
    if (input !== undefined) running.child.stdin?.end(input);
    return (await running).stdout;
  };
  return {
    namespace,
    kubectl,
    get: async (...args) => JSON.parse(await kubectl(['get', ...args, '--output', 'json'])),
    load: async (images) => {
      if (own) await run(kubeNode, ['load', ...images], { timeout: 600_000 });
    },
    async forward(target, port, local = 0) {
      const args = ['--namespace', namespace, 'port-forward', target, `${local === 0 ? '' : local}:${port}`];
      const child = spawn('kubectl', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
      const exited = once(child, 'exit');
      while (!/127\.0\.0\.1:(\d+) ->/.test(printed)) {
        const ended = await Promise.race([exited.then(() => true), pause(50).then(() => false)]);
        if (ended) throw new Error(`port-forward ${target}: ${printed}`);
      }
      return {
        address: `127.0.0.1:${/127\.0\.0\.1:(\d+) ->/.exec(printed)?.[1]}`,
        async close() {
          child.kill();
          await exited;
        },
      };
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
