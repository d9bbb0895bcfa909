import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, root } from './kubectl.js';
import { imageTag } from './trial.js';

const file = (name: string): string => join(root, 'deploy/jobs', `${name}.yaml`);

/** Backs up with the commands of deploy/README.md. Returns the name of the backup. */
export async function backUp(cluster: Cluster): Promise<string> {
  await cluster.kubectl(['apply', '--filename', file('volume')]);
  return runJob(cluster, 'backup', []);
}

/** Restores a backup with the commands of deploy/README.md. */
export async function restore(cluster: Cluster, backup: string): Promise<void> {
  await runJob(cluster, 'restore', [`BACKUP=${backup}`]);
}

/** Runs `knowledge status` in the pod of deploy/jobs, without certificates, as this cluster has none. */
export async function statusInPod({ kubectl }: Cluster): Promise<string> {
  const manifest = readFileSync(file('desk'), 'utf8').replace('desk:dev', `desk:${imageTag}`);
  const plain = manifest.replace(/ *- name: KNOWLEDGE_TLS.*\n.*\n/g, '').replace(/ *volumeMounts:.*$/s, '');
  await kubectl(['apply', '--filename', '-'], plain);
  await kubectl(['wait', '--for=condition=ready', 'pod/desk', '--timeout=60s']);
  return kubectl(['exec', 'desk', '--', 'node', 'bundle/main.js', 'status']);
}

/** Creates a Job of deploy/jobs, waits for its end and returns the name of its pod. */
async function runJob(cluster: Cluster, name: string, env: readonly string[]): Promise<string> {
  let manifest = readFileSync(file(name), 'utf8');
  // `kubectl set image` prints nothing if the image is unchanged, so this calls it only for another image.
  const image = `localhost/knowledge/operations:${imageTag}`;
  if (!manifest.includes(`image: ${image}\n`))
    manifest = await cluster.kubectl(
      ['set', 'image', '--local', '-f', '-', `${name}=${image}`, '-o', 'yaml'],
      manifest,
    );
  if (env.length > 0)
    manifest = await cluster.kubectl(['set', 'env', '--local', '-f', '-', ...env, '-o', 'yaml'], manifest);
  const job = (await cluster.kubectl(['create', '--filename', '-', '--output', 'name'], manifest)).trim();
  await cluster.kubectl(['wait', '--for=condition=complete', job, '--timeout=180s']).catch(async (cause: unknown) => {
    throw new Error(`${job}: ${await cluster.kubectl(['logs', job])}`, { cause });
  });
  const { items } = await cluster.get('pods', '--selector', `job-name=${job.split('/')[1]}`);
  return items[0].metadata.name;
}
