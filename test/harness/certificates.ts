import type { Tls } from '@knowledge/runtime/grpc';
import { type CertificateMount, createTestAuthority, mountCertificates } from '@knowledge/runtime/testing';

/** The processes that have a certificate. */
const processNames = ['gateway', 'content', 'quota', 'identity', 'contributions'] as const;

type ProcessName = (typeof processNames)[number];

/** A throw-away authority, with a mounted certificate for each process. */
export interface SystemCertificates {
  /** The address of loopback that only the certificate of this service is good for. */
  hostOf(name: ProcessName): string;
  /** The variables of a process. */
  envOf(name: ProcessName): Record<string, string>;
  /** A certificate of a caller. */
  of(caller: string): Tls;
  /** Gives every process a new certificate and gives these, by process. */
  renew(): Record<ProcessName, Tls>;
  remove(): void;
}

/** Makes an authority and mounts what it issues. */
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
