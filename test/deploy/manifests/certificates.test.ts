import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '@knowledge/runtime/testing';
import { expect, test } from 'vitest';
import { copyManifests, ofKind, parse, processes, services, workloads } from './rendered.js';

const people = ['desk', 'editor', 'moderator', 'support', 'analyst', 'operator', 'partner'];

const copy = copyManifests();
const made = ownFolder();
makeCertificates(made);
const production = parse(copy.build('overlays/production'));

test('cert-manager and the script make the same certificates, each with the name of its process first', () => {
  const certificates = ofKind(production, 'Certificate').filter(({ spec }) => spec.isCA !== true);
  expect(certificates.map(({ metadata }) => metadata.name).sort()).toEqual(
    [...processes, ...people].map((name) => `tls-${name}`).sort(),
  );
  for (const { metadata, spec } of certificates) {
    const name = metadata.name.replace('tls-', '');
    expect(spec.secretName).toBe(metadata.name);
    expect(spec.dnsNames[0]).toBe(name);
    const byHand = certificateOf(name);
    expect(byHand.subjectAltName).toBe(spec.dnsNames.map((each: string) => `DNS:${each}`).join(', '));
    const isServer = spec.usages.includes('server auth');
    expect(isServer).toBe(services.includes(name as 'quota'));
    // The object identifiers of client authentication and of server authentication.
    expect(byHand.keyUsage.includes('1.3.6.1.5.5.7.3.2')).toBe(true);
    expect(byHand.keyUsage.includes('1.3.6.1.5.5.7.3.1')).toBe(isServer);
    expect(byHand.checkIssued(new X509Certificate(readFileSync(join(made, 'authority.crt'))))).toBe(true);
    expect(spec.issuerRef).toEqual({ kind: 'Issuer', name: 'authority' });
  }
});

test('the secrets of the script contain the files that the processes mount', () => {
  const secrets = parse(readFileSync(join(made, 'secrets.yaml'), 'utf8'));
  expect(secrets).toHaveLength(processes.length + people.length);
  for (const { metadata, data = {} } of secrets) {
    expect(Object.keys(data).sort()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
    expect(new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64')).subject).toBe(
      `CN=${metadata.name.replace('tls-', '')}`,
    );
  }
  const mounted = workloads(parse(copy.build('overlays/try-tls'))).flatMap(({ pod }) =>
    (pod.volumes ?? []).flatMap(({ secret }) => (secret?.secretName.startsWith('tls-') ? secret.secretName : [])),
  );
  const names = secrets.map(({ metadata }) => metadata.name);
  expect(mounted.length).toBeGreaterThanOrEqual(processes.length);
  for (const name of mounted) expect(names).toContain(name);
});

test('running the script again renews the certificates and keeps the authority', () => {
  const [authority, before] = [readFileSync(join(made, 'authority.crt'), 'utf8'), certificateOf('quota')];
  makeCertificates(made, '--days', '3');
  expect(readFileSync(join(made, 'authority.crt'), 'utf8')).toBe(authority);
  const after = certificateOf('quota');
  expect(after.serialNumber).not.toBe(before.serialNumber);
  expect(new Date(after.validTo).getTime()).toBeLessThan(Date.now() + 4 * 86_400_000);
  expect(readdirSync(made)).toHaveLength(processes.length + people.length + 3);
});

test('check.sh lists the settings of production that still have example values', () => {
  const script = join(copy.folder, 'overlays/production/check.sh');
  const rendered = `${copy.build('overlays/production')}  image: localhost/knowledge/desk:dev\n`;
  const shipped = spawnSync(script, ['-'], { input: rendered, encoding: 'utf8' });
  expect(shipped.status).toBe(1);
  expect(shipped.stdout).toContain('image: localhost/knowledge/desk:dev');
  expect(shipped.stdout).toContain('registry.example/knowledge/quota@sha256:0000');
  expect(shipped.stdout).toContain('TRUSTED_PROXIES: 192.0.2.0/24');
  expect(shipped.stdout).toContain('OIDC_ISSUER: https://login.knowledge.example');
  expect(shipped.stdout).toContain('whitelist-source-range: 192.0.2.0/24');
  const edited = rendered
    .replaceAll('0000000000000000', '123456789abcdef0')
    .replaceAll('localhost/', 'registry.test/')
    .replaceAll('.example', '.test')
    .replaceAll(/(192\.0\.2|198\.51\.100|203\.0\.113)\.0/g, '10.1.2.0');
  expect(spawnSync(script, ['-'], { input: edited }).status).toBe(0);
});

function makeCertificates(folder: string, ...options: string[]): void {
  execFileSync(join(copy.folder, 'components/mutual-tls/make-certificates.sh'), [...options, folder]);
}

function certificateOf(name: string): X509Certificate {
  return new X509Certificate(readFileSync(join(made, name, 'tls.crt')));
}
