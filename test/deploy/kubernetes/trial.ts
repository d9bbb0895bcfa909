import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../harness/free-port.js';
import { type Cluster, openCluster, root } from './kubectl.js';

const run = promisify(execFile);

/** The Deployments of the product. */
export const deployments = ['gateway', 'content', 'quota', 'identity', 'contributions'] as const;

export type Deployment = (typeof deployments)[number];

/** Processes renew their connections after this time, so that new replicas also get calls. */
export const connectionAgeSeconds = 20;

/** The overlay `try` in its own namespace. */
export interface Trial {
  readonly cluster: Cluster;
  /** The address of the gateway's Service. A port-forward would always reach the same pod. */
  readonly gateway: string;
  /** The public base URL. It has a port on loopback. */
  readonly publicUrl: string;
  readonly publicPort: number;
  /** The ports on loopback at which browsers reach the web desk and the OpenID provider. */
  readonly deskPort: number;
  readonly providerPort: number;
  /** Waits until all replicas of a Deployment are updated and ready. */
  rolledOut(name: string): Promise<void>;
  /** Adds `components/autoscaling`, with at most three replicas. */
  autoscale(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Builds and loads the images, applies the overlay, and waits until all pods are ready. `TRIAL_BUILD=no` uses existing
 * images. With `TRIAL_IMAGE_TAG` the cluster must already have the images.
 */
export async function startTrial(): Promise<Trial> {
  const cluster = await openCluster(process.env['TRIAL_NAMESPACE'] ?? 'knowledge-trial');
  const publicPort = await freePort();
  const [deskPort, providerPort] = [await freePort(), await freePort()];
  const publicUrl = `http://localhost:${publicPort}`;
  const desk = { deskUrl: `http://localhost:${deskPort}`, providerUrl: `http://localhost:${providerPort}` };
  await provideImages(cluster);
  await run(join(root, 'deploy/overlays/try/make-secrets.sh'), [], { env: { PATH: process.env['PATH'] } });
  await printDuration('applying the manifests', () => apply(cluster, { publicUrl, ...desk }, false));
  const rolledOut = async (name: string): Promise<void> =>
    void (await cluster.kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=600s']));
  await printDuration('the MongoDB replica set', () =>
    cluster.kubectl(['wait', '--for=condition=complete', 'job/initiate-mongodb', '--timeout=600s']),
  );
  for (const name of [...deployments, 'mailbox', 'oidc-provider', 'web-desk'])
    await printDuration(`the Deployment ${name}`, () => rolledOut(name));
  const service = await cluster.get('service', 'gateway');
  const gateway = process.env['TRIAL_GATEWAY_URL'] ?? `http://${service.spec.clusterIP}:80`;
  return {
    cluster,
    gateway,
    publicUrl,
    publicPort,
    deskPort,
    providerPort,
    rolledOut,
    autoscale: () => apply(cluster, { publicUrl, ...desk }, true),
    remove: async () =>
      void (await printDuration('removing all of it', () =>
        cluster.kubectl(['delete', 'namespace', cluster.namespace, '--ignore-not-found', '--timeout=300s']),
      )),
  };
}

/** The base URLs at which browsers reach the pages. */
interface Urls {
  readonly publicUrl: string;
  readonly deskUrl: string;
  readonly providerUrl: string;
}

async function apply(cluster: Cluster, urls: Urls, autoscaling: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-trial-'));
  try {
    writeFileSync(join(folder, 'kustomization.yaml'), overlay(folder, cluster.namespace, urls, autoscaling));
    await cluster.kubectl(['apply', '--kustomize', folder]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const imageTag = process.env['TRIAL_IMAGE_TAG'] ?? 'dev';
const images = [...deployments, 'desk', 'operations', 'local'].map((name) => `localhost/knowledge/${name}`);

async function provideImages(cluster: Cluster): Promise<void> {
  if (process.env['TRIAL_IMAGE_TAG'] !== undefined) return;
  if (process.env['TRIAL_BUILD'] !== 'no') {
    await printDuration('building the images (minutes the first time)', () =>
      run('npm', ['run', 'images'], { cwd: root, maxBuffer: 64 * 1024 * 1024 }),
    );
  }
  await printDuration('loading them', () =>
    cluster.load([...images.map((image) => `${image}:${imageTag}`), 'docker.io/library/mongo:6.0.5']),
  );
}

/** Makes an overlay of `try` with another namespace, other links, and no limits per address. */
function overlay(folder: string, namespace: string, urls: Urls, autoscaling: boolean): string {
  const { publicUrl, deskUrl, providerUrl } = urls;
  const server = { name: 'server', env: [connectionAge] };
  const younger = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'any' },
    spec: { template: { spec: { containers: [server] } } },
  };
  // Twenty gateways would need more than two cores.
  const fewer = [{ op: 'replace', path: '/spec/maxReplicas', value: 3 }];
  return JSON.stringify({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace,
    resources: [relative(folder, join(root, 'deploy/overlays/try'))],
    images: images.map((name) => ({ name, newTag: imageTag })),
    configMapGenerator: [
      merged('sites', [`PUBLIC_URL_IO=${publicUrl}`, `PUBLIC_URL_ORG=${publicUrl}`]),
      merged('desk', [`DESK_PUBLIC_URL=${deskUrl}`]),
      merged('oidc-provider', [
        `OIDC_BROWSER_URL=${providerUrl}`,
        `OIDC_REDIRECT_URIS=${deskUrl}/sign-in/callback`,
        `OIDC_SIGNED_OUT_URIS=${deskUrl}/`,
      ]),
      merged('quota', ['QUOTA_ANONYMOUS_PER_ADDRESS=0', 'AUTHORIZE_PER_ADDRESS=0', 'AUTHORIZE_PER_MAIL_DOMAIN=0']),
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

/** Runs a step and prints its duration. */
export async function printDuration<T>(what: string, step: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  process.stderr.write(`  … ${what}\n`);
  const result = await step();
  process.stderr.write(`  ${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${what}\n`);
  return result;
}
