import { once } from 'node:events';
import { connect } from 'node:tls';
import { HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../telemetry/prometheus-metrics.js';
import {
  type CertificateMount,
  createTestAuthority,
  type IssueOptions,
  type MountedCertificates,
  mountCertificates,
  type TestAuthority,
} from '../testing/certificates.js';
import { accessTable, protoService } from './access.js';
import { connectGrpc } from './connect.js';
import {
  call,
  closeFixtures,
  EchoService,
  echoClient,
  echoService,
  later,
  recordingLog,
  seeing,
  serve,
} from './serving.fixture.js';
import { CertificateFiles, measureExpiry } from './tls.js';

afterEach(closeFixtures);

const authority = createTestAuthority();
const hour = 3_600_000;

function pair(name: string, options?: IssueOptions, by: TestAuthority = authority): MountedCertificates {
  return { ...by.issue(name, options), ca: authority.ca };
}

it.each<[string, MountedCertificates | { ca: string } | undefined, boolean]>([
  ['with the right certificate', pair('gateway'), true],
  ['without a certificate', { ca: authority.ca }, false],
  ['in plaintext', undefined, false],
  ['of another authority', pair('gateway', {}, createTestAuthority()), false],
  ['whose certificate has expired', pair('gateway', { until: Date.now() - hour }), false],
  ['whose certificate is not valid yet', pair('gateway', { from: Date.now() + hour }), false],
])('a caller %s', async (_who, tls, answered) => {
  const { address } = await serve({ address: 'localhost:0', tls: pair('content'), services: [echoService()] });
  const outcome = echoClient(address, { tls, deadlineMs: 1000 }).echo({ text: 'x' }, call);
  if (answered) await expect(outcome).resolves.toEqual({ text: 'x' });
  else await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
});

it.each<[string, MountedCertificates, boolean]>([
  ['with the right certificate', pair('localhost', { hosts: [] }), true],
  ['of another authority', pair('localhost', {}, createTestAuthority()), false],
  ['with the certificate of another service', pair('quota', { hosts: ['quota.knowledge.svc'] }), false],
  ['whose certificate has expired', pair('localhost', { until: Date.now() - hour }), false],
  ['whose certificate is not valid yet', pair('localhost', { from: Date.now() + hour }), false],
])('a server %s', async (_who, tls, trusted) => {
  const called = vi.fn();
  const echo = seeing(called);
  const { address } = await serve({ address: 'localhost:0', tls, services: [echoService({ echo })] });
  for (const target of [address, `dns:///${address}`]) {
    const outcome = echoClient(target, { tls: pair('gateway'), deadlineMs: 1000 }).echo({ text: 'x' }, call);
    if (trusted) await expect(outcome).resolves.toEqual({ text: 'x' });
    else await expect(outcome).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(called).toHaveBeenCalledTimes(trusted ? 2 : 0);
});

describe('probes', () => {
  it('without a certificate use a separate address that serves only health', async () => {
    const addresses = { address: 'localhost:0', healthAddress: '0.0.0.0:0' };
    const options = { ...addresses, tls: pair('content'), services: [echoService()], drainDelaySeconds: 1 };
    const server = await serve(options);
    const address = server.healthAddress?.replace('0.0.0.0', '127.0.0.1') ?? '';
    const health = connectGrpc(HealthService, { address });
    later(() => health.close());
    for (const service of ['liveness', 'readiness', 'test.v1.EchoService']) {
      expect((await health.check({ service }, call)).status).toBe('SERVING');
    }
    await expect(echoClient(address).echo({ text: 'x' }, call)).rejects.toMatchObject({ cause: { code: 12 } });
    await expect(reflect(address, undefined)).resolves.toBe(12);
    const closed = server.close();
    expect((await health.check({ service: 'readiness' }, call)).status).toBe('NOT_SERVING');
    expect((await health.check({ service: 'liveness' }, call)).status).toBe('SERVING');
    await closed;
    const ended = { code: 'unavailable' };
    await vi.waitFor(() => expect(health.check({ service: 'liveness' }, call)).rejects.toMatchObject(ended), 5000);
  });

  it('with any certificate may check health at the address of the service', async () => {
    const access = accessTable();
    const { address } = await serve({ address: 'localhost:0', tls: pair('content'), access });
    const health = connectGrpc(HealthService, { address, tls: pair('nobody') });
    later(() => health.close());
    expect((await health.check({ service: 'readiness' }, call)).status).toBe('SERVING');
  });

  it('prevent the start of the server if their address cannot be used', async () => {
    const { address } = await serve();
    await expect(serve({ healthAddress: address })).rejects.toThrow('EADDRINUSE');
  });
});

it('reflection is allowed for people and refused for processes', async () => {
  const access = accessTable(protoService(EchoService, { echo: ['gateway'], repeat: [], check: [], chat: [] }));
  const tls = pair('content');
  const { address } = await serve({ address: 'localhost:0', tls, access, services: [echoService()] });
  await expect(reflect(address, pair('editor'))).resolves.toBe(0);
  await expect(reflect(address, pair('gateway'))).resolves.toBe(7);
});

describe('a renewal', () => {
  it('of the certificate of either side, or of the authority on both sides, loses no call', async () => {
    const next = createTestAuthority();
    const both = `${authority.ca}${next.ca}`;
    const actors = new Set<string | undefined>();
    const echo = seeing(({ actor }) => actors.add(actor));
    const server = mount(pair('content'));
    const client = mount(pair('gateway'));
    const { address } = await serve({
      address: 'localhost:0',
      tls: server.files,
      services: [echoService({ echo })],
      maxConnectionAgeSeconds: 0.4,
    });
    const load = startLoad(address, client.files);
    const used = async (issuer: TestAuthority, actor: string): Promise<void> => {
      await vi.waitFor(async () => expect(await issuerOf(address)).toBe(issuer), 5000);
      actors.clear();
      await vi.waitFor(() => expect([...actors]).toContain(actor), 5000);
    };
    const issuerOf = async (at: string): Promise<TestAuthority | undefined> => {
      const shown = await certificateAt(at, { ca: both, ...authority.issue('probe') });
      const issuer = shown.issuerCertificate.raw.toString('base64').slice(0, 48);
      return [authority, next].find(({ ca }) => ca.includes(issuer));
    };
    await used(authority, 'gateway');
    server.write(pair('content'));
    client.write(pair('gateway-renewed'));
    await used(authority, 'gateway-renewed');
    for (const [side, name] of [
      [server, 'content'],
      [client, 'gateway-renewed'],
    ] as const)
      side.write({ ...pair(name), ca: both });
    const trusting = async (ca: string) =>
      vi.waitFor(() => expect([server, client].map(({ files }) => files.current.ca)).toEqual([ca, ca]), 5000);
    await trusting(both);
    server.write({ ...next.issue('content'), ca: both });
    client.write({ ...next.issue('gateway-next'), ca: both });
    await used(next, 'gateway-next');
    for (const side of [server, client]) side.write({ ...side.files.current, ca: next.ca } as MountedCertificates);
    await trusting(next.ca);
    const old = echoClient(address, { tls: { ...authority.issue('gateway'), ca: next.ca }, deadlineMs: 1000 });
    await expect(old.echo({ text: 'x' }, call)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await load.stop()).toEqual([]);
    expect(server.lines.filter((line) => line.includes('certificates renewed'))).toHaveLength(4);
  });

  it.each<[string, (whole: MountedCertificates) => MountedCertificates, string]>([
    ['half-written', (whole) => ({ ...whole, cert: whole.cert.slice(0, 200) }), 'the certificate is no PEM'],
    ['of another key', (whole) => ({ ...whole, key: pair('content').key }), 'the key is not the key'],
    ['without an authority', (whole) => ({ ...whole, ca: '' }), 'the authority has no PEM'],
    ['that has expired', (whole) => ({ ...whole, ...pair('content', { until: Date.now() - hour }) }), 'has expired'],
    ['that begins later', (whole) => ({ ...whole, ...pair('content', { from: Date.now() + hour }) }), 'not valid yet'],
  ])('%s keeps the old and is told once', async (_how, break_, fault) => {
    const server = mount(pair('content'));
    const { address } = await serve({ address: 'localhost:0', tls: server.files, services: [echoService()] });
    server.write(break_(pair('content')));
    const told = (text: string) => server.lines.filter((line) => line.includes(text));
    await vi.waitFor(() => expect(told(fault)).toHaveLength(1), 5000);
    await answers(address);
    server.write(pair('content'));
    await vi.waitFor(() => expect(told('certificates renewed')).toHaveLength(1), 5000);
    expect(told(fault)).toHaveLength(1);
    expect(server.lines.join('')).not.toContain('PRIVATE');
    await answers(address);
  });

  it('whose files vanish keeps the old certificates', async () => {
    const server = mount(pair('content'));
    const { address } = await serve({ address: 'localhost:0', tls: server.files, services: [echoService()] });
    server.remove();
    await vi.waitFor(() => expect(server.lines.join('')).toMatch(/tls\.crt cannot be read \(ENOENT\)/), 5000);
    await answers(address);
  });
});

describe('an expiry', () => {
  it.each([
    ['soon', Date.now() + hour, 'the certificate expires soon'],
    ['past', Date.now() - hour, 'the certificate has expired'],
  ])('that is %s is logged with its name and time', (_when, until, line) => {
    const { lines } = mount(pair('content', { from: Date.now() - 24 * hour, until }));
    expect(lines.filter((each) => each.includes(line))).toHaveLength(1);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      names: ['content', 'localhost'],
      not_after: `${new Date(until).toISOString().slice(0, 19)}.000Z`,
    });
  });

  it('appears in the metrics', async () => {
    const { files } = mount(pair('content'));
    const metrics = createMetrics('content');
    measureExpiry(files, { metrics });
    const until = Math.floor((files.own?.until ?? 0) / 1000);
    expect((await metrics.expose()).body).toContain(
      `knowledge_certificate_expiry_timestamp_seconds{process="content"} ${until}`,
    );
  });

  it('that is far away is not logged', () => expect(mount(pair('content')).lines).toHaveLength(1));
});

async function answers(address: string): Promise<void> {
  const answer = await echoClient(address, { tls: pair('gateway') }).echo({ text: 'x' }, call);
  expect(answer).toEqual({ text: 'x' });
}

/** Calls reflection and returns the status code. */
function reflect(address: string, tls: MountedCertificates | undefined): Promise<number> {
  const raw = (bytes: Buffer): Buffer => bytes;
  const method = {
    path: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    requestStream: true,
    responseStream: true,
    requestSerialize: raw,
    requestDeserialize: raw,
    responseSerialize: raw,
    responseDeserialize: raw,
  } as const;
  const client = connectGrpc({ ask: method }, { address, tls });
  later(() => client.close());
  return new Promise((resolve) => {
    const stream = client.ask(call);
    stream.on('status', ({ code }) => resolve(code)).on('error', () => undefined);
    // The bytes of ServerReflectionRequest { list_services: "" }.
    stream.on('data', () => stream.end()).write(Buffer.from([0x3a, 0]));
  });
}

/** Mounts certificate files that are read again every 20 ms. */
function mount(content: MountedCertificates): CertificateMount & { files: CertificateFiles; lines: string[] } {
  const mounted = mountCertificates(content);
  later(() => mounted.remove());
  const { log, lines } = recordingLog();
  const { GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key, GRPC_TLS_CA_FILE: ca } = mounted.env;
  const files = new CertificateFiles({ cert: { file: cert }, key: { file: key }, ca: { file: ca } }, log, 20);
  return { ...mounted, files, lines };
}

/** Makes eight calls at a time, 100 calls or more, until it is stopped. Returns the failures. */
function startLoad(address: string, tls: CertificateFiles) {
  const client = echoClient(address, { tls, deadlineMs: 5000 });
  const failures: unknown[] = [];
  let calls = 0;
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped) {
      await client.echo({ text: 'x' }, call).catch((error: unknown) => failures.push(error));
      calls++;
      // The pause leaves processor time for the TLS handshakes.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const runs = Array.from({ length: 8 }, run);
  return {
    async stop() {
      await vi.waitFor(() => expect(calls).toBeGreaterThan(100), 10_000);
      stopped = true;
      await Promise.all(runs);
      return failures;
    },
  };
}

/** The certificate that a server presents to a new connection. */
async function certificateAt(address: string, options: { ca: string; cert: string; key: string }) {
  const [host, port] = address.split(':');
  const socket = connect({ host, port: Number(port), servername: 'localhost', ALPNProtocols: ['h2'], ...options });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate(true);
  } finally {
    socket.destroy();
  }
}
