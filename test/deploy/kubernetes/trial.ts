import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../harness/free-port.js';
import { type Cluster, openCluster, root } from './kubectl.js';

const run = promisify(execFile);

/** The Deployments of the product, in the order in which they are shown. */
export const deployments = ['gateway', 'content', 'quota', 'identity', 'contributions'] as const;

/** One of them. */
export type Deployment = (typeof deployments)[number];

/** How soon a connection between two processes is made anew, so that a new replica gets its share. */
export const connectionAgeSeconds = 20;

/** The `try` overlay, running in a namespace of its own. */
export interface Trial {
  readonly cluster: Cluster;
  /** Where the gateway's Service answers from here, without a port-forward that would stick to one pod. */
  readonly gateway: string;
  /** The public base URL, and the port on loopback that it names. */
  readonly publicUrl: string;
  readonly publicPort: number;
  /** Waits until every replica of a Deployment is the new one and ready. */
  rolledOut(name: string): Promise<void>;
  /** Leaves the number of replicas, up to three, to `components/autoscaling`. */
  autoscale(): Promise<void>;
  /** Deletes all of it. */
  remove(): Promise<void>;
}

/**
 * Builds and loads the images (TRIAL_BUILD=no: loads those that there are; TRIAL_IMAGE_TAG: the cluster has them), applies the
 * overlay, and waits until all is ready.
 */
export async function startTrial(): Promise<Trial> {
  const cluster = await openCluster(process.env['TRIAL_NAMESPACE'] ?? 'knowledge-trial');
  const publicPort = await freePort();
  const publicUrl = `http://localhost:${publicPort}`;
  await provideImages(cluster);
  await run(join(root, 'deploy/overlays/try/make-secrets.sh'), [], { env: { PATH: process.env['PATH'] } });
  await say('applying the manifests', () => apply(cluster, publicUrl, false));
  const rolledOut = async (name: string): Promise<void> =>
    void (await cluster.kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=600s']));
  await say('the MongoDB replica set', () =>
    cluster.kubectl(['wait', '--for=condition=complete', 'job/initiate-mongodb', '--timeout=600s']),
  );
  for (const name of [...deployments, 'mailbox']) await say(`the Deployment ${name}`, () => rolledOut(name));
  const service = await cluster.get('service', 'gateway');
  const gateway = process.env['TRIAL_GATEWAY_URL'] ?? `http://${service.spec.clusterIP}:80`;
  return {
    cluster,
    gateway,
    publicUrl,
    publicPort,
    rolledOut,
    autoscale: () => apply(cluster, publicUrl, true),
    remove: async () =>
      void (await say('removing all of it', () =>
        cluster.kubectl(['delete', 'namespace', cluster.namespace, '--ignore-not-found', '--timeout=300s']),
      )),
  };
}

async function apply(cluster: Cluster, publicUrl: string, autoscaling: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-trial-'));
  try {
    writeFileSync(join(folder, 'kustomization.yaml'), overlay(folder, cluster.namespace, publicUrl, autoscaling));
    await cluster.kubectl(['apply', '--kustomize', folder]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of the product's images. */
export const imageTag = process.env['TRIAL_IMAGE_TAG'] ?? 'dev';
const images = [...deployments, 'operations', 'local'].map((name) => `localhost/knowledge/${name}`);

async function provideImages(cluster: Cluster): Promise<void> {
  if (process.env['TRIAL_IMAGE_TAG'] !== undefined) return;
  if (process.env['TRIAL_BUILD'] !== 'no') {
    await say('building the images (minutes the first time)', () =>
      run('npm', ['run', 'images'], { cwd: root, maxBuffer: 64 * 1024 * 1024 }),
    );
  }
  await say('loading them', () =>
    cluster.load([...images.map((image) => `${image}:${imageTag}`), 'docker.io/library/mongo:6.0.5']),
  );
}

/** The overlay `try` as it is, but for its namespace, its links, and limits that one address alone would meet. */
function overlay(folder: string, namespace: string, publicUrl: string, autoscaling: boolean): string {
  const server = { name: 'server', env: [connectionAge] };
  const younger = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'any' },
    spec: { template: { spec: { containers: [server] } } },
  };
  // Two cores have no room for twenty gateways.
  const fewer = [{ op: 'replace', path: '/spec/maxReplicas', value: 3 }];
  return JSON.stringify({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace,
    resources: [relative(folder, join(root, 'deploy/overlays/try'))],
    images: images.map((name) => ({ name, newTag: imageTag })),
    configMapGenerator: [
      merged('sites', [`PUBLIC_URL_IO=${publicUrl}`, `PUBLIC_URL_ORG=${publicUrl}`]),
      merged('quota', ['QUOTA_ANONYMOUS_PER_ADDRESS=0', 'AUTHORIZE_PER_ADDRESS=0']),
    ],
    patches: [
      { target: { kind: 'Deployment', name: 'content|quota|identity|contributions' }, patch: JSON.stringify(younger) },
      { target: { kind: 'HorizontalPodAutoscaler' }, patch: JSON.stringify(fewer) },
    ],
    components: autoscaling ? [relative(folder, join(root, 'deploy/components/autoscaling'))] : [],
  });
}

const connectionAge = { name: 'GRPC_MAX_CONNECTION_AGE_SECONDS', value: String(connectionAgeSeconds) };

function merged(name: string, literals: readonly string[]): object {
  return { name, namespace: 'knowledge', behavior: 'merge', literals };
}

/** Tells how long a step took. */
export async function say<T>(what: string, step: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  process.stderr.write(`  … ${what}\n`);
  const result = await step();
  process.stderr.write(`  ${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${what}\n`);
  return result;
}
