import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTestAuthority, ownFolder } from '@knowledge/runtime/testing';
import { describe, expect, test } from 'vitest';
import {
  type Container,
  copyManifests,
  type Manifest,
  ofKind,
  overlays,
  parse,
  processes,
  requireOnly,
  root,
  servers,
  services,
  type Workload,
  workloads,
} from './rendered.js';

type ReadConfig = (env: Readonly<Record<string, string | undefined>>) => unknown;

/** The folder in a pod where secrets are mounted. */
const mounted = '/etc/knowledge/';
/** Variables that Node itself reads. */
const ofNode = ['NODE_OPTIONS'];
/** The folders of processes that are not a service. */
const folders: Readonly<Record<string, string>> = { gateway: 'gateway/src', 'web-desk': 'services/desk/src/pages' };

const copy = copyManifests();
const files = ownFolder();
const readers = new Map<string, ReadConfig>();
for (const name of processes) {
  const module = (await import(join(root, folders[name] ?? `services/${name}/src`, 'config.ts'))) as object;
  const read: ReadConfig = Object.entries(module).find(([key]) => /^read\w+Config$/.test(key))?.[1];
  readers.set(name, read);
}

describe.each(overlays)('%s', (overlay) => {
  const manifests = parse(copy.build(`overlays/${overlay}`));

  test('the oldest kustomize that deploy/README.md names builds the same', () => {
    expect(parse(copy.build(`overlays/${overlay}`, 'kustomize-oldest'))).toEqual(manifests);
    const readme = readFileSync(join(root, 'deploy/README.md'), 'utf8');
    const tools = readFileSync(join(root, 'test/deploy/manifests/tools.sh'), 'utf8');
    const [, oldest] = /oldest_kustomize=(\S+)/.exec(tools) ?? [];
    expect(readme).toContain(`kustomize ${oldest} or newer`);
  });

  test.each(processes)('%s and its migration accept all their variables', (name) => {
    const own = workloads(manifests).filter(({ labels }) => labels['app.kubernetes.io/name'] === name);
    expect(own.map(({ kind }) => kind).sort()).toEqual(isService(name) ? ['Deployment', 'Job'] : ['Deployment']);
    for (const workload of own) {
      const env = environmentOf(workload, manifests);
      const asked = new Set<string>();
      const watched = new Proxy(env, {
        get: (target, key) => {
          asked.add(String(key));
          return Reflect.get(target, key) as string | undefined;
        },
      });
      readers.get(name)?.(watched);
      const unread = Object.keys(env).filter((key) => !asked.has(key) && !ofNode.includes(key));
      expect(unread, `${workload.kind} ${workload.name}`).toEqual([]);
    }
  });

  test('a process listens at exactly the ports that its container declares, for IPv4 and IPv6', () => {
    for (const { name, container } of servers(manifests)) {
      const listening = (container.env ?? []).flatMap(({ value = '' }) => /^\[::\]:(\d+)$/.exec(value)?.[1] ?? []);
      const declared = (container.ports ?? []).map(({ containerPort }) => String(containerPort));
      expect(declared.sort(), name).toEqual(listening.sort());
    }
  });

  test('gRPC is encrypted, except in the overlay try', () => {
    for (const { name, container } of servers(manifests)) {
      const names = (container.env ?? []).map((each) => each.name);
      const isPlain = overlay === 'try';
      expect(names.includes('GRPC_PLAINTEXT'), name).toBe(isPlain && isService(name));
      expect(
        names.filter((each) => each.startsWith('GRPC_TLS_')),
        name,
      ).toHaveLength(isPlain ? 0 : 3);
    }
  });

  test('the ceilings per address are on', () => {
    const quota = servers(manifests).find(({ name }) => name === 'quota');
    const env = quota === undefined ? {} : environmentOf(quota, manifests);
    expect(Number(env['AUTHORIZE_PER_ADDRESS'])).toBe(20);
    expect(Number(env['QUOTA_ANONYMOUS_PER_ADDRESS'])).toBeGreaterThan(0);
  });
});

test.each([
  ['mailbox', ['SMTP_PORT', 'MAILBOX_PORT']],
  ['oidc-provider', ['OIDC_PROVIDER_PORT']],
])('%s for trying accepts its variables and listens at its ports', (program, portVariables) => {
  const manifests = parse(copy.build('overlays/try'));
  const workload = requireOnly(workloads(manifests).filter(({ name }) => name === program));
  const env = environmentOf(workload, manifests);
  const source = readFileSync(join(root, `deploy/local/src/${program}/main.ts`), 'utf8');
  for (const name of Object.keys(env)) {
    expect(ofNode.includes(name) || source.includes(` ${name.replace(/_FILE$/, '')}:`), name).toBe(true);
  }
  const ports = requireOnly(workload.pod.containers).ports?.map(({ containerPort }) => String(containerPort));
  expect(ports).toEqual(portVariables.map((name) => env[name]));
});

const authority = createTestAuthority().ca.trim();

test.each([
  ['opensearch', { SEARCH_USERNAME: 'content', SEARCH_PASSWORD: 'a password', SEARCH_CA: authority }],
  ['opensearch-try', { SEARCH_USERNAME: undefined, SEARCH_PASSWORD: undefined, SEARCH_CA: undefined }],
])('content searches in the cluster of components/%s', (component, user) => {
  const components = [`../../components/${component}`];
  const manifests = parse(copy.buildText(JSON.stringify({ resources: ['../../base'], components })));
  const content = servers(manifests).find(({ name }) => name === 'content');
  const env = content === undefined ? {} : environmentOf(content, manifests);
  const url = component === 'opensearch' ? 'https://opensearch.knowledge.example:9200' : 'http://opensearch:9200';
  expect(readers.get('content')?.({ ...env, GRPC_PLAINTEXT: 'true' })).toMatchObject({ SEARCH_URL: [url], ...user });
});

function isService(name: string): boolean {
  return (services as readonly string[]).includes(name);
}

/** Makes the environment of a container. Its mounted files are written to a folder of the test. */
function environmentOf(workload: Workload, manifests: readonly Manifest[]): Record<string, string> {
  const container = requireOnly(workload.pod.containers);
  const maps = new Map(ofKind(manifests, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data ?? {}]));
  const fromMaps = (container.envFrom ?? []).map(({ configMapRef }) => maps.get(configMapRef?.name ?? '') ?? {});
  const own = Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value]));
  const env: Record<string, string> = Object.assign({}, ...fromMaps, own);
  for (const [name, value] of Object.entries(env)) {
    if (!value.startsWith(mounted)) continue;
    const file = join(files, workload.name, value);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contentOf(value, workload, container, manifests));
    env[name] = file;
  }
  return env;
}

/** The content of a mounted file: from the rendered secret, or an example if operators supply the secret. */
function contentOf(path: string, { pod }: Workload, container: Container, manifests: readonly Manifest[]): string {
  const mount = container.volumeMounts?.find(({ mountPath }) => dirname(path) === mountPath);
  expect(mount?.readOnly, path).toBe(true);
  const volume = pod.volumes?.find(({ name }) => name === mount?.name);
  const secret = volume?.secret?.secretName ?? '';
  const key = path.slice(dirname(path).length + 1);
  const rendered = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === secret)?.data;
  if (rendered !== undefined) return Buffer.from(rendered[key] ?? '', 'base64').toString();
  const example = brought[`${secret.replace(/-.*/, '')}/${key}`];
  if (example === undefined) throw new Error(`nobody makes ${key} of ${secret}`);
  return example;
}

/** Example values for secrets that operators, make-certificates.sh or cert-manager supply. */
const brought: Readonly<Record<string, string>> = {
  'mongodb/uri': 'mongodb+srv://content:secret@cluster.example/?authSource=admin',
  'gateway/key': 'k'.repeat(64),
  'desk/client-secret': 's'.repeat(32),
  'opensearch/username': 'content',
  'opensearch/password': 'a password',
  'opensearch/ca.crt': authority,
  'smtp/url': 'smtps://user:secret@smtp.example:465',
  'tls/tls.crt': 'a certificate',
  'tls/tls.key': 'a key',
  'tls/ca.crt': 'an authority',
};
