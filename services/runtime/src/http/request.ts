import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Bucket, bucketsOf } from '../text/networks.js';
import { ownSecretFault } from '../text/own-secrets.js';

/**
 * Returns the address that every limit counts: the address forwarded by a trusted proxy, else that of the connection.
 * IPv4 addresses inside IPv6 (`::ffff:…`) count as IPv4.
 */
export function clientAddressOf({ ip, raw }: { readonly ip: string; readonly raw: IncomingMessage }): string {
  return addressIn(ip) ?? addressIn(raw.socket?.remoteAddress) ?? unknownAddress;
}

// Used for a client that disconnected before its address was read.
const unknownAddress = '0.0.0.0';

/** Makes a function that says whether an address is a trusted proxy; false if no proxy is trusted. */
export function trustedProxies(proxies: readonly string[]): ((forwarded: string) => boolean) | false {
  if (proxies.length === 0) return false;
  const blocks = proxies.map((each) => (each.includes('/') ? ipaddr.parseCIDR(each) : wholeAddress(each)));
  return (forwarded) => {
    const address = addressIn(forwarded);
    if (address === undefined) return false;
    const parsed = ipaddr.parse(address);
    return blocks.some(([block, bits]) => block.kind() === parsed.kind() && parsed.match(block, bits));
  };
}

/**
 * Returns the networks around a client, the widest first and that of one customer last. All IPv6 networks of one owner
 * are inside a wider one.
 */
export function networksOf(address: string): string[] {
  const bytes = ipaddr.parse(address).toByteArray();
  return (bytes.length === 4 ? [3, 4] : [4, 6, 7, 8]).map((length) => bytes.slice(0, length).join('.'));
}

/** The networks that count a connection. */
export function bucketsOfClient(remoteAddress: string): readonly Bucket[] {
  return bucketsOf(addressIn(remoteAddress) ?? unknownAddress);
}

// Ignores text that is not an address. A client could send new text in each request, and no limit would apply.
function addressIn(text: string | undefined) {
  const bare = text
    ?.replace(/^"(.*)"$/, '$1')
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return bare === undefined || isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Returns the caller's `X-Request-Id` if it has 1 to 128 characters of `[A-Za-z0-9._-]`, else a new id. A secret of ours
 * is none, since the id is logged.
 */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) && !ownSecretFault(sent)
    ? sent
    : newRequestId();
}

export function newRequestId(): string {
  return randomUUID();
}

/** Makes the id of a request from what it asks for, so that a repeat has the same. */
export function repeatableRequestId(content: string): string {
  return hash('sha256', content).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
}

/** Returns the decoded path of a request target. */
export function pathOf(target: string): string {
  const [path = ''] = target.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The bounds that the HTTP server applies to every request. */
export const httpLimits = {
  /** The size of a request body in bytes. The largest valid body, with every character escaped, has 96 kB. */
  requestBytes: 128 * 1024,
  /** The size of a request target in bytes. */
  targetBytes: 8 * 1024,
  /** The size of a header block in bytes. */
  headerBytes: 16 * 1024,
  /** The number of headers in a request. */
  headers: 1_000,
  /** The number of requests of one connection that may wait while an earlier request is served. */
  waitingRequests: 32,
  /** After this number of requests beyond `waitingRequests`, the connection is destroyed without a response. */
  droppedRequests: 500,
  headersTimeoutMs: 8_000,
  requestTimeoutMs: 10_000,
  /** How long a connection may wait for its next request. */
  keepAliveMs: 65_000,
  /** How long a response may take after the request has arrived (ARCHITECTURE.md#failure). */
  responseMs: 3_000,
  /** How long a client may take to read a response. */
  readResponseMs: 60_000,
  /** How long a stopping gateway waits for the rest of incomplete requests. */
  stopMs: 4_000,
} as const;
