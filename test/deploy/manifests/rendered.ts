import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFolder } from '@knowledge/runtime/testing';
import { loadAll } from 'js-yaml';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly automountServiceAccountToken?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: kubernetes-validate checks the schemas.
  readonly spec?: any;
}

export type Labels = Readonly<Record<string, string>>;

/** The fields of a container that tests use. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly { name: string; value?: string; valueFrom?: unknown }[];
  readonly envFrom?: readonly { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  readonly ports?: readonly { name?: string; containerPort: number }[];
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly volumeMounts?: readonly { name: string; mountPath: string; readOnly?: boolean }[];
  readonly lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface Probe {
  readonly grpc?: { port: number; service: string };
  readonly httpGet?: { port: string; path: string };
  readonly tcpSocket?: { port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

/** A Deployment, StatefulSet or Job. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  readonly labels: Labels;
  readonly replicas: number | undefined;
  readonly pod: {
    readonly serviceAccountName: string;
    readonly automountServiceAccountToken: boolean;
    readonly terminationGracePeriodSeconds?: number;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly volumes?: readonly { name: string; secret?: { secretName: string } }[];
  };
}

/** The names of the overlays, which are also the names of their folders. */
export const overlays = ['try', 'try-tls', 'production'] as const;

export type Overlay = (typeof overlays)[number];

/** A kustomization of the overlay for trying whose content searches in an OpenSearch. */
export const withOpenSearch = { resources: ['../try'], components: ['../../components/opensearch-try'] };

/** The gRPC services. Each owns a database. */
export const services = ['content', 'quota', 'identity', 'contributions'] as const;

export const processes = ['gateway', ...services, 'web-desk'] as const;

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export function tool(name: string): string {
  const path = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'knowledge/manifest-tools', name);
  if (!existsSync(path)) throw new Error(`${name} is missing: run test/deploy/manifests/tools.sh`);
  return path;
}

/** A copy of the manifests with generated secrets, so that tests do not write into the repository. */
export interface ManifestCopy {
  /** The copy of the folder `deploy`. */
  readonly folder: string;
  /** Renders the kustomization in a folder of `deploy`, by this program of `tools.sh`. */
  build(kustomization: string, version?: string): string;
  /** Renders a kustomization from a text, which may refer to `../../base`. */
  buildText(text: string): string;
}

export function copyManifests(): ManifestCopy {
  const folder = ownFolder();
  for (const part of ['base', 'components', 'overlays']) {
    cpSync(join(root, 'deploy', part), join(folder, part), { recursive: true });
  }
  rmSync(join(folder, 'overlays/try/secrets'), { recursive: true, force: true });
  execFileSync(join(folder, 'overlays/try/make-secrets.sh'));
  const build = (kustomization: string, version = 'kustomize'): string =>
    execFileSync(tool(version), ['build', join(folder, kustomization)], { encoding: 'utf8', stdio: 'pipe' });
  return {
    folder,
    build,
    buildText: (text) => {
      cpSync(join(folder, 'base'), join(folder, 'overlays/probe'), { recursive: true });
      writeFileSync(join(folder, 'overlays/probe/kustomization.yaml'), text);
      return build('overlays/probe');
    },
  };
}

export function parse(rendered: string): Manifest[] {
  return loadAll(rendered).filter((document) => document !== null) as Manifest[];
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

export function workloads(manifests: readonly Manifest[]): Workload[] {
  return manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].includes(kind))
    .map(({ kind, metadata, spec }) => ({
      kind,
      name: metadata.name,
      labels: spec.template.metadata.labels,
      replicas: spec.replicas,
      pod: spec.template.spec,
    }));
}

/** The processes of the product. Each has a single container. */
export function servers(manifests: readonly Manifest[]): (Workload & { readonly container: Container })[] {
  return workloads(manifests)
    .filter(({ labels }) => labels['app.kubernetes.io/component'] === 'server')
    .map((workload) => ({ ...workload, container: requireOnly(workload.pod.containers) }));
}

/** Returns the only element of a list. Throws if the list has none or several. */
export function requireOnly<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`expected one, found ${list.length}`);
  return first;
}

/** Whether labels match a selector of Kubernetes. */
export function selects(selector: Selector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      return (operator === 'Exists') === (value !== undefined);
    })
  );
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    key: string;
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    values?: readonly string[];
  }[];
}
