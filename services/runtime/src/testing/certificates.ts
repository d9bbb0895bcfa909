import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its private key, as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** A certificate authority for tests with mutual TLS on loopback. */
export interface TestAuthority {
  /** The certificate of the authority, as PEM. */
  ca: string;
  /** Issues a certificate whose first DNS name is `name`. */
  issue(name: string, options?: IssueOptions): Certificate;
}

/** Options of a certificate. The default is valid for a day before and after now, on this machine. */
export interface IssueOptions {
  /** Further DNS names and IPv4 addresses (default localhost and 127.0.0.1). */
  hosts?: readonly string[];
  /** The start of validity, in milliseconds since 1970 (default: a day ago). */
  from?: number;
  /** The end of validity, in milliseconds since 1970 (default: in a day). */
  until?: number;
}

/** Makes an authority with a new key. The code encodes X.509 itself, because Node cannot. */
export function createTestAuthority(): TestAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Each authority needs its own name, since a bundle may contain several authorities.
  const issuer = distinguishedName(`Test authority ${randomUUID()}`);
  const ca = certificate({
    issuer,
    subject: issuer,
    publicKey: authority.publicKey,
    extensions: [basicConstraints],
    by: authority.privateKey,
  });
  return {
    ca,
    issue: (name, { hosts = ['localhost', '127.0.0.1'], from, until } = {}) => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const alternativeNames = extension('551d11', sequence(...[name, ...hosts].map(alternativeName)));
      const subject = distinguishedName(name);
      const cert = certificate({
        issuer,
        subject,
        publicKey: own.publicKey,
        extensions: [alternativeNames],
        by: authority.privateKey,
        from,
        until,
      });
      return { cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

interface Contents {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  extensions: Buffer[];
  by: KeyObject;
  from?: number | undefined;
  until?: number | undefined;
}

const day = 86_400_000;

// Encodes a certificate by RFC 5280, section 4.1.
function certificate({ issuer, subject, publicKey, extensions, by, from, until }: Contents): string {
  const validity = sequence(time(from ?? Date.now() - day), time(until ?? Date.now() + day));
  const serial = tagged(0x02, Buffer.concat([Buffer.from([1]), Buffer.from(String(process.hrtime.bigint()))]));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    serial,
    ecdsaWithSha256,
    issuer,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, by)));
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...items: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(items));
}

function bits(content: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\..*/g, '');
  return tagged(0x17, Buffer.from(`${digits.slice(2)}Z`));
}

function alternativeName(name: string): Buffer {
  return isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(commonName)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value));
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const basicConstraints = extension('551d13', sequence(tagged(0x01, Buffer.from([0xff]))));

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
