import { describe, expect, test } from 'vitest';
import {
  copyManifests,
  type Manifest,
  ofKind,
  overlays,
  parse,
  processes,
  selects,
  servers,
  services,
  workloads,
} from './rendered.js';

const copy = copyManifests();

describe.each(overlays)('%s', (overlay) => {
  const manifests = parse(copy.build(`overlays/${overlay}`));
  const containers = workloads(manifests).flatMap(({ pod }) => [...(pod.initContainers ?? []), ...pod.containers]);
  const named = (kind: string): Map<string, Manifest> =>
    new Map(ofKind(manifests, kind).map((manifest) => [manifest.metadata.name, manifest]));

  test('everything is in one namespace, which enforces Pod Security restricted', () => {
    const [namespace, ...rest] = ofKind(manifests, 'Namespace');
    expect(rest).toEqual([]);
    expect(namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce']).toBe('restricted');
    const elsewhere = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace?.metadata.name,
    );
    expect(elsewhere).toEqual([]);
    const twice = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(twice).size).toBe(twice.length);
    for (const { metadata } of manifests) {
      expect(metadata.labels?.['app.kubernetes.io/part-of'] ?? 'generated').toMatch(/knowledge|generated/);
    }
  });

  test('all processes have two replicas, and drain before they are killed', () => {
    expect(
      servers(manifests)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...processes].sort());
    for (const { name, replicas, pod, container } of servers(manifests)) {
      const isScaled = overlay === 'production' && name !== 'web-desk';
      expect(replicas, name).toBe(isScaled ? undefined : 2);
      const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(preStop, name).toBe(5);
      // A process ends within 20 s after SIGTERM (ARCHITECTURE.md#failure).
      expect(pod.terminationGracePeriodSeconds, name).toBeGreaterThanOrEqual(preStop + 20);
    }
    for (const { metadata, spec } of ofKind(manifests, 'Deployment')) {
      if (isForTrying(metadata.name)) continue;
      expect(spec.strategy.rollingUpdate, metadata.name).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });

  test('images have a tag that is not latest, in production a digest', () => {
    const form = overlay === 'production' ? /^[^@\s]+@sha256:[0-9a-f]{64}$/ : /^[^@\s]+:(?!latest$)[\w.-]+$/;
    for (const { image } of containers) expect(image).toMatch(form);
  });

  test('secrets are mounted as files, and production contains none', () => {
    for (const { name, env = [], envFrom = [] } of containers) {
      expect(
        env.filter(({ valueFrom }) => valueFrom !== undefined),
        name,
      ).toEqual([]);
      expect(
        envFrom.filter(({ secretRef }) => secretRef !== undefined),
        name,
      ).toEqual([]);
    }
    const text = JSON.stringify([ofKind(manifests, 'ConfigMap'), containers.map(({ env, args }) => [env, args])]);
    expect(text).not.toMatch(/mongodb(\+srv)?:\/\/|smtps?:\/\/|PRIVATE KEY|password/i);
    if (overlay === 'production') expect(ofKind(manifests, 'Secret')).toEqual([]);
  });

  test('every mounted secret exists, is generated, or is supplied by operators', () => {
    const made = new Set([
      ...named('Secret').keys(),
      ...ofKind(manifests, 'Certificate').map(({ spec }) => spec.secretName as string),
    ]);
    const brought = [...services.map((name) => `mongodb-${name}`), 'gateway-continuation', 'smtp', 'desk-oidc'];
    const byHand = processes.map((name) => `tls-${name}`);
    const outside = { try: [], 'try-tls': byHand, production: brought }[overlay];
    const wanted = workloads(manifests).flatMap(({ pod }) =>
      (pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
    );
    const missing = new Set(wanted.filter((name) => !made.has(name)));
    expect([...missing].sort()).toEqual([...outside].sort());
  });

  test('referenced ConfigMaps and service accounts exist, and no pod has a service account token', () => {
    const maps = named('ConfigMap');
    for (const { envFrom = [] } of containers) {
      for (const { configMapRef } of envFrom) expect(maps.has(configMapRef?.name ?? ''), configMapRef?.name).toBe(true);
    }
    for (const { name, pod } of workloads(manifests)) {
      const account = named('ServiceAccount').get(pod.serviceAccountName);
      expect([pod.automountServiceAccountToken, account?.automountServiceAccountToken], name).toEqual([false, false]);
    }
  });

  test('every Service selects pods of one kind, at ports that they declare', () => {
    for (const { metadata, spec } of ofKind(manifests, 'Service')) {
      const found = workloads(manifests).filter(({ labels }) => selects({ matchLabels: spec.selector }, labels));
      expect(
        found.map(({ name }) => name),
        metadata.name,
      ).toEqual([metadata.name]);
      const ports = found.flatMap(({ pod }) => pod.containers.flatMap((container) => container.ports ?? []));
      for (const { port, targetPort } of spec.ports) {
        const target = ports.find(({ name }) => name === targetPort);
        expect(target?.name, metadata.name).toBe(targetPort);
        if (spec.clusterIP === 'None') expect(port).toBe(target?.containerPort);
      }
    }
  });

  test('callers use headless Services that list only ready pods', () => {
    const services = named('Service');
    for (const { container } of servers(manifests)) {
      for (const { value = '' } of container.env ?? []) {
        const target = /^dns:\/\/\/([a-z]+):(\d+)$/.exec(value);
        if (target === null) continue;
        const { spec } = services.get(target[1] ?? '') ?? {};
        expect([spec?.clusterIP, spec?.publishNotReadyAddresses ?? false]).toEqual(['None', false]);
        expect(spec?.ports.map(({ port }: { port: number }) => String(port))).toContain(target[2]);
      }
    }
  });

  test('a node drain leaves one pod of each process and a majority of the MongoDB members', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget');
    for (const { kind, name, labels, replicas } of workloads(manifests)) {
      const own = budgets.filter(({ spec }) => selects(spec.selector, labels));
      const limited = kind === 'StatefulSet' || labels['app.kubernetes.io/component'] === 'server';
      expect(
        own.map(({ metadata }) => metadata.name),
        name,
      ).toEqual(limited ? [name] : []);
      // A budget by `minAvailable` would block the drain for ever where an operator runs one replica.
      if (limited) expect(own[0]?.spec).toMatchObject({ maxUnavailable: 1 });
      if (kind === 'StatefulSet') expect(replicas).toBe(3);
    }
  });

  test('autoscalers, if present, scale what serves agents from two, and nothing else sets the replicas', () => {
    const scalers = ofKind(manifests, 'HorizontalPodAutoscaler');
    const expected = overlay === 'production' ? ['gateway', ...services].sort() : [];
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(expected);
    for (const { spec } of scalers) {
      expect(spec.minReplicas).toBe(2);
      expect(spec.maxReplicas).toBeGreaterThan(2);
      const target = servers(manifests).find(({ name }) => name === spec.scaleTargetRef.name);
      expect(target?.replicas).toBeUndefined();
      expect(target?.container.resources.requests['cpu']).toMatch(/^\d+m?$/);
    }
  });

  test('liveness probes check the process, readiness probes its dependencies, under served names', () => {
    for (const { name, container } of servers(manifests)) {
      const { startupProbe, livenessProbe, readinessProbe } = container;
      const health = container.ports?.find((port) => port.name === 'health')?.containerPort;
      const isHttp = container.ports?.some((port) => port.name === 'http') ?? false;
      const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) =>
        isHttp ? probe?.httpGet : probe?.grpc,
      );
      expect(isHttp, name).toBe(!services.includes(name as 'quota'));
      expect(asked, name).toEqual(
        isHttp
          ? ['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'metrics' }))
          : ['liveness', 'liveness', 'readiness'].map((service) => ({ port: health, service })),
      );
      const startSeconds = (startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0);
      expect(startSeconds, name).toBeGreaterThanOrEqual(60);
    }
  });

  test('memory requests equal limits, and Node uses at most 75 % of them', () => {
    for (const { image, env = [], resources } of containers) {
      const { requests, limits } = resources;
      expect(requests['memory'], image).toBe(limits['memory']);
      expect(requests['cpu'], image).toMatch(/^\d+m?$/);
      if (/\bmongo\b/.test(image)) continue;
      const mebibytes = Number(/^(\d+)Mi$/.exec(limits['memory'] ?? '')?.[1]);
      const options = env.find(({ name }) => name === 'NODE_OPTIONS')?.value;
      expect(options, image).toBe(`--max-old-space-size=${mebibytes * 0.75}`);
    }
  });
});

/** Whether a Deployment is only in the overlays for trials. */
function isForTrying(name: string): boolean {
  return ['mailbox', 'oidc-provider'].includes(name);
}

test('each overlay for trials needs at most two cores and 12 GiB, with three replicas of everything', () => {
  const pods = workloads(parse(copy.build('overlays/try'))).map(({ kind, labels, replicas, pod }) => ({
    count: labels['app.kubernetes.io/component'] === 'server' ? 3 + 1 : kind === 'Job' ? 1 : (replicas ?? 1),
    requests: pod.containers.map(({ resources }) => resources.requests),
  }));
  const sum = (of: (requests: Readonly<Record<string, string>>) => number): number =>
    pods.reduce((total, { count, requests }) => total + count * requests.reduce((all, each) => all + of(each), 0), 0);
  const millicores = sum((requests) => Number(/^(\d+)m$/.exec(requests['cpu'] ?? '')?.[1]));
  const mebibytes = sum(({ memory = '' }) => Number.parseInt(memory, 10) * (memory.endsWith('Gi') ? 1024 : 1));
  expect(millicores).toBeLessThanOrEqual(1_800);
  expect(mebibytes).toBeLessThanOrEqual(12 * 1024);
});

test('each component can be used alone', () => {
  const kustomization = (...components: string[]): string =>
    JSON.stringify({ resources: ['../../base'], components: components.map((name) => `../../components/${name}`) });
  const alone = [
    'autoscaling',
    'desk',
    'desk/ingress',
    'ingress',
    'mailbox',
    'mongodb',
    'monitoring',
    'mutual-tls',
    'network-policies',
    'oidc-provider-try',
    'opensearch',
    'opensearch-try',
  ];
  for (const name of alone) expect(parse(copy.buildText(kustomization(name))).length, name).toBeGreaterThan(20);
  expect(parse(copy.buildText(kustomization('mutual-tls', 'mutual-tls/cert-manager'))).length).toBeGreaterThan(30);
});
