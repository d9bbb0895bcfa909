import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../free-port.js';
import { type ManagedProcess, startProcess } from '../managed-process.js';

const run = promisify(execFile);
const here = fileURLToPath(new URL('../../../test/harness/opensearch/', import.meta.url));
const jars = join(homedir(), '.cache/knowledge/opensearch-2.19.1');
const startMs = 120_000;

/** A real node of OpenSearch. */
export interface OpenSearchNode {
  readonly url: string;
  readonly process: ManagedProcess;
  close(): Promise<void>;
}

/** Starts a node with its own data. It needs Java 17 and, for the first time, Maven. */
export async function startOpenSearch(): Promise<OpenSearchNode> {
  await fetchJars();
  return startNode(await freePort());
}

/** Starts a cluster of three nodes. */
export async function startThreeNodes(): Promise<OpenSearchNode[]> {
  await fetchJars();
  const ports = [await freePort(), await freePort(), await freePort()];
  return Promise.all(ports.map((port) => startNode(port, ports.join(','))));
}

/** Starts a node with this transport port; in a cluster, with those of all its nodes. */
async function startNode(transport: number, ...all: string[]): Promise<OpenSearchNode> {
  const data = await mkdtemp(join(tmpdir(), 'opensearch-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // A node lives too short for the slow compiler of Java to pay.
  const java = ['-Xms512m', '-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', `${jars}/*`];
  const node = await startProcess({
    name: 'opensearch',
    command: ['java', ...java, join(here, 'OneNode.java'), data, `${port}`, `${transport}`, ...all],
    env: {},
    ready: () => answers(url),
  });
  return {
    url,
    process: node,
    close: async () => {
      await node.kill();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Fetches the jars from Maven Central, unless an earlier run did. */
async function fetchJars(): Promise<void> {
  if (existsSync(join(jars, 'opensearch-2.19.1.jar'))) return;
  const goal = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
  await run('mvn', ['-f', join(here, 'pom.xml'), ...goal], { timeout: startMs });
}

async function answers(url: string): Promise<void> {
  const giveUp = Date.now() + startMs;
  for (;;) {
    const found = await fetch(`${url}/_cluster/health?wait_for_status=yellow`).catch(() => undefined);
    if (found?.ok) return;
    if (Date.now() > giveUp) throw new Error('OpenSearch does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
