import { describe, expect, test } from 'vitest';
import { connector, type Endpoint } from './network.js';
import { copyManifests, parse, processes, servers, withOpenSearch, workloads } from './rendered.js';

const copy = copyManifests();

const grpcPort = { content: 50051, quota: 50052, identity: 50053, contributions: 50054 } as const;
const owners = Object.keys(grpcPort) as (keyof typeof grpcPort)[];
const calls: Readonly<Record<string, readonly (keyof typeof grpcPort)[]>> = {
  gateway: owners,
  identity: ['quota'],
  contributions: ['content', 'quota', 'identity'],
  desk: owners,
  'web-desk': owners,
};

/** Pods of other teams that may exist in a cluster. */
const others: readonly Endpoint[] = [
  pod('desk', 'knowledge', { 'knowledge/role': 'desk' }),
  pod('backup', 'knowledge', { 'app.kubernetes.io/component': 'operations' }),
  pod('stranger', 'knowledge', {}),
  pod('pretender', 'knowledge', { 'app.kubernetes.io/name': 'gateway' }),
  { ...pod('partner', 'newsletter', {}), namespaceLabels: { 'knowledge/role': 'partner' } },
  pod('not a partner', 'default', { 'knowledge/role': 'partner' }),
  pod('ingress', 'ingress-nginx', { 'app.kubernetes.io/name': 'ingress-nginx' }),
  pod('internal ingress', 'ingress-internal', { 'app.kubernetes.io/name': 'ingress-nginx' }),
  pod('prometheus', 'monitoring', {}),
  pod('dns', 'kube-system', { 'k8s-app': 'kube-dns' }),
  pod('system', 'kube-system', {}),
  pod('elsewhere', 'default', { 'app.kubernetes.io/name': 'gateway', 'app.kubernetes.io/component': 'server' }),
  { name: 'mongodb outside', address: '198.51.100.7' },
  { name: 'smtp outside', address: '203.0.113.7' },
  { name: 'oidc outside', address: '192.0.2.7' },
  { name: 'internet', address: '8.8.8.8' },
];

/** All connections that the architecture needs, written as `gateway > content:50051`. */
function expected(overlay: 'try' | 'production'): string[] {
  const inside = overlay === 'try';
  const migrations = owners.map((owner) => `migrate-${owner}${inside ? '' : '-v1'}`);
  const own = [
    ...processes,
    ...migrations,
    ...(inside ? ['mongodb', 'mailbox', 'oidc-provider', 'initiate-mongodb'] : []),
  ];
  const resolving = [...own, 'desk', 'backup', 'stranger', 'pretender'];
  const mongodb = inside ? ['mongodb:27017'] : ['mongodb outside:27017'];
  const smtp = inside ? ['mailbox:1025'] : ['smtp outside:465', 'smtp outside:587'];
  const databaseUsers = [...owners, ...migrations, 'backup', ...(inside ? ['initiate-mongodb', 'mongodb'] : [])];
  return [
    'ingress > gateway:8080',
    'internal ingress > web-desk:8085',
    inside ? 'web-desk > oidc-provider:8090' : 'web-desk > oidc outside:443',
    ...(['content', 'contributions'] as const).map((name) => `partner > ${name}:${grpcPort[name]}`),
    ...Object.entries(calls).flatMap(([from, to]) => to.map((name) => `${from} > ${name}:${grpcPort[name]}`)),
    ...resolving.map((name) => `${name} > dns:53`),
    ...databaseUsers.flatMap((name) => mongodb.map((to) => `${name} > ${to}`)),
    ...['identity', 'contributions'].flatMap((name) => smtp.map((to) => `${name} > ${to}`)),
    ...processes.flatMap((name) => [`prometheus > ${name}:9464`, `${name} > prometheus:4318`]),
  ].sort();
}

describe.each(['try', 'production'] as const)('%s', (overlay) => {
  const manifests = parse(copy.build(`overlays/${overlay}`));

  test('every connection of the architecture is allowed, and no other', () => {
    const own = workloads(manifests).map(({ name, labels }) => pod(name, 'knowledge', labels));
    const ends = [...own, ...others];
    const known = [53, 443, 465, 587, 1025, 4318, 8025, 8080, 8081, 8085, 8090, 9200, 9464, 27017];
    const ports = [...known, ...Object.values(grpcPort)];
    const connects = connector(manifests);
    const isOurs = (end: Endpoint): boolean => 'namespace' in end && end.namespace === 'knowledge';
    const allowed = ends.flatMap((from) =>
      ends.flatMap((to) =>
        // Our policies do not limit connections between pods of other teams.
        isOurs(from) || isOurs(to)
          ? ports.filter((port) => connects(from, to, port)).map((port) => `${from.name} > ${to.name}:${port}`)
          : [],
      ),
    );
    expect(allowed.sort()).toEqual(expected(overlay));
  });

  test('every process may connect to its configured addresses', () => {
    for (const { name, container } of servers(manifests)) {
      const targets = (container.env ?? []).flatMap(({ value = '' }) => /^dns:\/\/\/([a-z]+):/.exec(value)?.[1] ?? []);
      expect(targets.sort(), name).toEqual([...(calls[name] ?? [])].sort());
    }
  });
});

test('only content reaches the OpenSearch for trying, and it reaches nothing', () => {
  const manifests = parse(copy.buildText(JSON.stringify(withOpenSearch)));
  const ends = [...workloads(manifests).map(({ name, labels }) => pod(name, 'knowledge', labels)), ...others];
  const connects = connector(manifests);
  const engine = ends.filter(({ name }) => name === 'opensearch');
  const reaching = engine.flatMap((to) => ends.filter((from) => connects(from, to, 9200)));
  expect(reaching.map(({ name }) => name)).toEqual(['content']);
  const reached = engine.flatMap((from) =>
    ends.filter((to) => [443, 9200, 27017].some((port) => connects(from, to, port))),
  );
  expect(reached).toEqual([]);
});

test('without policies every connection is allowed', () => {
  const [one, another] = [pod('one', 'knowledge', {}), pod('another', 'default', {})];
  expect(connector([])(one, another, 1)).toBe(true);
});

function pod(name: string, namespace: string, labels: Record<string, string>): Endpoint {
  return { name, namespace, labels };
}
