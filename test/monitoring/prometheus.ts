import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../harness/free-port.js';
import { startProcess } from '../harness/managed-process.js';
import { until } from '../harness/until.js';

const run = promisify(execFile);

/** Runs promtool. If it fails, rejects with its output. */
export async function promtool(...args: string[]): Promise<string> {
  try {
    return (await run('promtool', args)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`promtool ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

export interface Prometheus {
  /** Runs an instant query. Returns its samples. */
  query(expr: string): Promise<readonly { metric: Record<string, string>; value: [number, string] }[]>;
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a real Prometheus on loopback. It scrapes the targets every second. */
export async function startPrometheus(targets: readonly string[], rules: string): Promise<Prometheus> {
  const data = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'knowledge', static_configs: [{ targets }] }],
  };
  // The file may contain JSON, since JSON is valid YAML.
  writeFileSync(join(data, 'prometheus.yml'), JSON.stringify(config));
  const process = await startProcess({
    name: 'prometheus',
    command: [
      'prometheus',
      `--config.file=${join(data, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(data, 'tsdb')}`,
      `--web.listen-address=${address}`,
    ],
    env: {},
    ready: async () => {
      await until('Prometheus', async () => (await fetch(`http://${address}/-/ready`)).ok, 30_000);
    },
  });
  const get = async (path: string): Promise<unknown> => {
    const body = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as {
      status: string;
      error?: string;
      data: unknown;
    };
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
    return body.data;
  };
  return {
    get,
    query: async (expr) =>
      ((await get(`query?query=${encodeURIComponent(expr)}`)) as { result: Awaited<ReturnType<Prometheus['query']>> })
        .result,
    close: async () => {
      await process.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
