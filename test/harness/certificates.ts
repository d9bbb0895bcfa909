import type { Tls } from '@knowledge/runtime/grpc';
import { type CertificateMount, createTestAuthority, mountCertificates } from '@knowledge/runtime/testing';

const processNames = ['gateway', 'content', 'quota', 'identity', 'contributions'] as const;

type ProcessName = (typeof processNames)[number];

/** A certificate authority of a test, with certificate files for each process. */
export interface SystemCertificates {
  /** The loopback address that is in the certificate of this service. */
  hostOf(name: ProcessName): string;
  envOf(name: ProcessName): Record<string, string>;
  of(caller: string): Tls;
  /** Writes a new certificate for every process and returns them. */
  renew(): Record<ProcessName, Tls>;
  remove(): void;
}

/** Creates an authority and writes its certificates into files. */
export function createSystemCertificates(): SystemCertificates {
  const authority = createTestAuthority();
  const hostOf = (name: ProcessName): string => `127.0.1.${processNames.indexOf(name) + 1}`;
  const issue = (name: ProcessName) => ({ ...authority.issue(name, { hosts: [hostOf(name)] }), ca: authority.ca });
  const mounts = new Map<ProcessName, CertificateMount>(
    processNames.map((name) => [name, mountCertificates(issue(name))]),
  );
  return {
    hostOf,
    envOf: (name) => ({ ...mounts.get(name)?.env }),
    of: (caller) => ({ ...authority.issue(caller, { hosts: [] }), ca: authority.ca }),
    renew() {
      const renewed = processNames.map((name) => [name, issue(name)] as const);
      for (const [name, content] of renewed) mounts.get(name)?.write(content);
      return Object.fromEntries(renewed) as Record<ProcessName, Tls>;
    },
    remove() {
      for (const mount of mounts.values()) mount.remove();
    },
  };
}
