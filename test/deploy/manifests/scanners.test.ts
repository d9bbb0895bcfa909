import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { copyManifests, type Manifest, overlays, parse, root, tool, withOpenSearch } from './rendered.js';

/** The API groups of custom resources, for which Kubernetes itself has no schema. */
const foreign = /^(cert-manager\.io|monitoring\.coreos\.com)\//;

const copy = copyManifests();

const jobs = ['backup', 'desk', 'restore'].map((name) => readFileSync(join(root, `deploy/jobs/${name}.yaml`), 'utf8'));
const renderings: [name: string, render: () => string][] = [
  ...overlays.map((name): (typeof renderings)[number] => [name, () => copy.build(`overlays/${name}`)]),
  ['try with OpenSearch', () => copy.buildText(JSON.stringify(withOpenSearch))],
  ['jobs', () => jobs.join('---\n').replaceAll('generateName', 'name')],
];

describe.each(renderings)('%s', (overlay, render) => {
  const own = parse(render()).filter(({ apiVersion }) => !foreign.test(apiVersion));
  const file = write(overlay, own);

  test('kubernetes-validate finds no field that Kubernetes does not know', () => {
    expect(scan('kubernetes-validate', ['--strict', file])).toEqual({ status: 0, findings: [] });
  });

  test('Pod Security admission refuses no pod', () => {
    expect(scan('pod-security', [], readFileSync(file))).toEqual({ status: 0, findings: [] });
  });

  test.skipIf(overlay === 'jobs')('kube-score finds no problem', () => {
    expect(scan('kube-score', ['score', '--output-format', 'ci', file])).toEqual({ status: 0, findings: [] });
  });

  test.skipIf(overlay === 'jobs')('checkov finds no problem', () => {
    const args = ['--framework', 'kubernetes', '--compact', '--quiet', '--skip-download', '--file', file];
    expect(scan('checkov', args)).toEqual({ status: 0, findings: [] });
  });
});

test('each scanner finds planted faults', () => {
  const broken = parse(copy.build('overlays/try')).filter(({ kind }) => kind === 'Deployment');
  for (const { spec } of broken) {
    const [container] = spec.template.spec.containers;
    container.securityContext = { privileged: true };
    container.livenessProb = container.livenessProbe;
  }
  const file = write('broken', broken);
  expect(scan('kubernetes-validate', ['--strict', file]).status).not.toBe(0);
  expect(scan('pod-security', [], readFileSync(file)).findings).toHaveLength(broken.length);
  expect(scan('kube-score', ['score', '--output-format', 'ci', file]).status).not.toBe(0);
  const checkov = ['--framework', 'kubernetes', '--compact', '--quiet', '--skip-download', '--file', file];
  expect(scan('checkov', checkov).findings.join()).toContain('CKV_K8S_16');
});

function write(name: string, manifests: readonly Manifest[]): string {
  const file = join(copy.folder, `${name}.yaml`);
  writeFileSync(file, manifests.map((manifest) => dump(manifest)).join('---\n'));
  return file;
}

/** Runs a scanner. Returns the lines of its output that report a problem. */
function scan(name: string, args: readonly string[], input?: Buffer): { status: number | null; findings: string[] } {
  const { status, stdout, stderr } = spawnSync(tool(name), [...args], { input, encoding: 'utf8', timeout: 110_000 });
  const lines = `${stdout}\n${stderr}`.split('\n');
  return { status, findings: lines.filter((line) => /^(ERROR|WARN|\[(CRITICAL|WARNING)\]|Check: )|: .+=/.test(line)) };
}
