import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A real embedding model behind an endpoint on loopback. */
export interface ModelEndpoint {
  readonly url: string;
  readonly model: string;
  close(): Promise<void>;
}

// Vitest runs this file from its source, the command from dist.
const root = new URL(import.meta.url.includes('/test/dist/') ? '../../../../' : '../../../', import.meta.url);
const fileOf = (name: string): string => fileURLToPath(new URL(`test/search/embeddings/${name}`, root));

/** Installs the model if it is not there yet, and starts its endpoint. Throws if there is no Python 3 with pip. */
export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const { stdout } = await promisify(execFile)(fileOf('tools.sh'));
  const child = spawn(stdout.trim(), [fileOf('endpoint.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  // It prints its port when the model is loaded.
  const [port] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(([code]) => {
      throw new Error(`The embeddings endpoint ended with ${code}.`);
    }),
  ])) as [string];
  return {
    url: `http://127.0.0.1:${port}/v1/embeddings`,
    model: 'universal-sentence-encoder-multilingual-3',
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
