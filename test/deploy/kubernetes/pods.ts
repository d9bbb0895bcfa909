import { MongoClient } from 'mongodb';
import { until } from '../../harness/until.js';
import type { Cluster } from './kubectl.js';
import { type Deployment, deployments } from './trial.js';

/** Lists the pods of a Deployment that are not terminating. */
export async function podsOf(cluster: Cluster, name: string): Promise<string[]> {
  const { items } = await cluster.get(
    'pods',
    '--selector',
    `app.kubernetes.io/name=${name},app.kubernetes.io/component=server`,
  );
  type Pod = { metadata: { name: string; deletionTimestamp?: string } };
  return (items as Pod[]).flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [metadata.name] : []));
}

/** Waits until no pod of a Deployment is terminating. */
export async function untilTerminated(cluster: Cluster, name: string): Promise<void> {
  const all = ['pods', '--selector', `app.kubernetes.io/name=${name},app.kubernetes.io/component=server`];
  type Pod = { metadata: { deletionTimestamp?: string } };
  await until(
    `the old pods of ${name} to go`,
    async () =>
      ((await cluster.get(...all)).items as Pod[]).every(({ metadata }) => metadata.deletionTimestamp === undefined),
    90_000,
    500,
  );
}

/** Evicts a pod in the same way as a node drain. Rejects if the disruption budget forbids it. */
export async function evict(cluster: Cluster, pod: string): Promise<void> {
  const { namespace } = cluster;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  await cluster.kubectl(['create', '--raw', path, '--filename', '-'], JSON.stringify(eviction));
}

/** Finds the pod with the primary of the replica set. */
export async function findPrimaryPod(cluster: Cluster): Promise<string> {
  for (const at of [0, 1, 2]) {
    const pod = `mongodb-${at}`;
    const forward = await cluster.forward(`pod/${pod}`, 27017);
    const client = new MongoClient(`mongodb://${forward.address}/?directConnection=true`);
    try {
      if ((await client.db('admin').command({ hello: 1 })).isWritablePrimary === true) return pod;
    } finally {
      await client.close();
      await forward.close();
    }
  }
  throw new Error('No member of the replica set is primary.');
}

/** Counts the calls that each pod has served. For a gateway it counts the calls to the quota service. */
export async function callsByPod(cluster: Cluster): Promise<Map<Deployment, Map<string, number>>> {
  const calls = new Map<Deployment, Map<string, number>>();
  for (const name of deployments) {
    const counts = new Map<string, number>();
    for (const pod of await podsOf(cluster, name)) {
      const path = `/api/v1/namespaces/${cluster.namespace}/pods/${pod}:9464/proxy/metrics`;
      const text = await cluster.kubectl(['get', '--raw', path]);
      const metric =
        name === 'gateway' ? 'knowledge_grpc_client_duration_seconds_count' : 'knowledge_grpc_server_handled_total';
      const values = [...text.matchAll(new RegExp(`^${metric}\\{([^}]*)\\} (\\S+)$`, 'gm'))];
      counts.set(
        pod,
        values.reduce((sum, [, , value]) => sum + Number(value), 0),
      );
    }
    calls.set(name, counts);
  }
  return calls;
}
