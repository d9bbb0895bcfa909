import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from './certificates.js';

/** A directory with certificates. An update swaps one symlink, which is how Kubernetes updates a secret. */
export interface CertificateMount {
  /** The environment variables for a process that uses the certificates. */
  readonly env: { GRPC_TLS_CERT_FILE: string; GRPC_TLS_KEY_FILE: string; GRPC_TLS_CA_FILE: string };
  /** Replaces all files at the same moment. */
  write(content: MountedCertificates): void;
  remove(): void;
}

/** A certificate pair, and the authorities of the peers. */
export interface MountedCertificates extends Certificate {
  ca: string;
}

/** Mounts certificates in a new directory. */
export function mountCertificates(content: MountedCertificates): CertificateMount {
  const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
  const write = ({ cert, key, ca }: MountedCertificates): void => {
    const version = mkdtempSync(join(directory, '..version-'));
    for (const [name, pem] of Object.entries({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca })) {
      writeFileSync(join(version, name), pem);
    }
    symlinkSync(version, join(directory, '..next'));
    renameSync(join(directory, '..next'), join(directory, '..data'));
  };
  write(content);
  const env = {
    GRPC_TLS_CERT_FILE: join(directory, '..data', 'tls.crt'),
    GRPC_TLS_KEY_FILE: join(directory, '..data', 'tls.key'),
    GRPC_TLS_CA_FILE: join(directory, '..data', 'ca.crt'),
  };
  return { env, write, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
