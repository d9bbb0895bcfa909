import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type PeerCertificate } from 'node:tls';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { methods } from '@knowledge/proto/methods';
import type { Role } from '@knowledge/runtime/grpc';
import { afterAll, describe, expect, test } from 'vitest';
import { consent, contribute, newStory } from '../harness/agent.js';
import { createSystemCertificates } from '../harness/certificates.js';
import { type Desk, deskOf } from '../harness/desk.js';
import { bearer, call, expectFailure, freshReader } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { admittedMethods } from '../harness/raw-methods.js';
import { seedReading } from '../harness/reading.js';
import { asTester, connectAll, type ServiceName, serviceNames } from '../harness/system.js';
import { until } from '../harness/until.js';
import { callersInDocument } from './documents-run/access.js';

const certificates = createSystemCertificates();
afterAll(() => certificates.remove());
// Connections end after two seconds, so that renewed certificates are used soon.
const system = await ownSystem({ certificates, env: { GRPC_MAX_CONNECTION_AGE_SECONDS: '2' } });
const reading = await seedReading(system);

/** Runs the desk with the certificate of this caller. */
function deskAs(caller: string): Desk {
  const { ca, cert, key } = certificates.of(caller);
  return deskOf(system, { KNOWLEDGE_TLS_CA: ca ?? '', KNOWLEDGE_TLS_CERT: cert ?? '', KNOWLEDGE_TLS_KEY: key ?? '' });
}

const read = () => call(`${system.url}/api/v1/content/${reading.org[0]}?site=org`, { headers: freshReader() });

test('the whole system works: read, consent, story, review, publication', async () => {
  expect((await read()).status).toBe(200);
  const { token } = await consent(system);
  const { status, json } = await contribute(system, token, newStory());
  expect(status).toBe(201);
  const { id } = json.contribution;
  expect(await deskAs('moderator').json('review', 'approve', id, '--publish', '--yes')).toMatchObject({
    state: 'published',
  });
  await until('the story in the catalog', async () => (await fetch(`${system.url}/api/v1/objects/${id}`)).ok);
});

describe('allowed callers', () => {
  const documented = callersInDocument('services/README.md');
  const callers = ['analyst', 'contributions', 'editor', 'gateway', 'identity', 'moderator', 'operator', 'partner'];
  callers.push('support', 'web-desk');

  let everything: Promise<string[]> | undefined;
  const admitted = async (caller: string, person?: { actor: string; roles: Role[] }): Promise<string[]> => {
    const tls = certificates.of(caller);
    const of = (name: ServiceName) => admittedMethods(name, system.addresses[name], tls, person);
    return (await Promise.all(serviceNames.map(of))).flat();
  };

  // One caller after the other: each calls some hundred methods at once.
  const admittedToAny = async (some: readonly string[]) => {
    const found = new Set<string>();
    for (const each of some) for (const method of await admitted(each)) found.add(method);
    return found;
  };

  test.each([...callers, 'content', 'quota', 'stranger'])(
    '%s may call what services/README.md says',
    async (caller) => {
      everything ??= admitted('desk');
      const expected = (await everything).filter((method) => documented[method]?.includes(caller));
      expect(await admitted(caller)).toEqual(expected);
    },
  );

  test('the desk may call every method, and services/README.md names no other caller or method', async () => {
    everything ??= admitted('desk');
    const all = new Set(await everything);
    expect(all.size).toBe([...methods.keys()].filter((method) => method.startsWith('knowledge.')).length);
    expect(Object.keys(documented).filter((method) => !all.has(method))).toEqual([]);
    expect([...new Set(Object.values(documented).flat())].sort()).toEqual(callers);
  });

  // The web desk calls for a person, whose roles decide; its certificate alone gives it only its own methods.
  test.each<[Role, string]>([
    ['reader', 'analyst'],
    ['support', 'support'],
    ['moderator', 'moderator'],
    ['editor', 'editor'],
  ])('%s may call through the web desk what %s may', async (role, caller) => {
    expect(await admitted('web-desk', { actor: 'ada', roles: [role] })).toEqual(await admitted(caller));
  });

  test('an administrator may call through the web desk what any team may, and what no caller is named for', async () => {
    const teams = ['editor', 'moderator', 'support', 'analyst', 'partner'];
    const ofTeams = await admittedToAny(teams);
    const ofMachines = await admittedToAny(['gateway', 'contributions', 'operator', 'web-desk']);
    const all = await admitted('desk');
    const expected = all.filter((method) => ofTeams.has(method) || !ofMachines.has(method));
    expect(await admitted('web-desk', { actor: 'ada', roles: ['administrator'] })).toEqual(expected);
    const ofNobody = all.filter((method) => !ofTeams.has(method) && !ofMachines.has(method));
    expect(ofNobody).toEqual(all.filter((method) => documented[method]?.length === 0));
    expect(ofNobody).toContain('QuotaAdminService/SetCeiling');
  });

  test('the gateway may call exactly the methods that its code calls', async () => {
    const sources = new URL('../../gateway/src/', import.meta.url);
    const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, sources), 'utf8'))
      .join('\n');
    const isCalled = (method: string): boolean => {
      const name = method.slice(method.indexOf('/') + 1);
      return new RegExp(`\\.${name.charAt(0).toLowerCase()}${name.slice(1)}\\(`).test(code);
    };
    expect((await admitted('desk')).filter(isCalled)).toEqual(await admitted('gateway'));
  });
});

test.each([
  ['without a certificate', () => ({ ca: certificates.of('desk').ca })],
  ['in plaintext', () => undefined],
])('no caller gets a response %s', async (_how, tls) => {
  const clients = connectAll(system.addresses, tls());
  const client = { content: clients.content, quota: clients.quota, identity: clients.identity };
  const asked = [
    client.content.getObject({ id: reading.objectId }, asTester()),
    client.quota.peek({ charges: [] }, asTester()),
    client.identity.getToken({ tokenId: 'x' }, asTester()),
    clients.contributions.getActivePrompt({ site: Site.ORG }, asTester()),
  ];
  for (const each of await Promise.allSettled(asked)) {
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', cause: { code: 14 } } });
  }
  for (const each of Object.values(clients)) each.close();
});

test('a renewal of every certificate loses no request', async () => {
  const { token } = await consent(system);
  const headers = bearer(token);
  const requests = [
    read,
    () => call(`${system.url}/api/v1/contributions`, { headers }),
    () => call(`${system.url}/api/v1/agent/token`, { headers }),
    () => call(`${system.url}/api/v1/objects/${reading.objectId}`),
  ];
  const answers = new Map<string, number>();
  let stopped = false;
  const load = requests.map(async (request, at) => {
    while (!stopped) {
      const { status, json } = await request();
      const answer = `${at}: ${status} ${json?.error ?? ''}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  const renewed = certificates.renew();
  for (const name of serviceNames) {
    await until(`${name} to show its new certificate`, async () =>
      (await shownBy(name)).raw.equals(der(renewed[name].cert)),
    );
  }
  await until('the gateway to renew', () => system.processes['gateway']?.output().includes('certificates renewed'));
  const total = (): number => [...answers.values()].reduce((sum, count) => sum + count, 0);
  const [before, since] = [total(), Date.now()];
  // Waits until the older connections have reached their maximum age, while requests continue.
  await until('the old connections to end', () => Date.now() - since > 3000 && total() > before + 20);
  stopped = true;
  await Promise.all(load);
  expect([...answers.keys()].filter((answer) => !answer.endsWith(': 200 '))).toEqual([]);
  for (const name of [...serviceNames, 'gateway']) {
    const lines = system.processes[name]?.output().split('\n') ?? [];
    const told = lines.filter((line) => line.includes('certificates renewed'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0] ?? '')).toMatchObject({ level: 'info', names: [name], not_after: expect.any(String) });
  }
  expect(system.logs()).not.toContain('PRIVATE KEY');
});

test('a refused gateway responds with 503 and logs the reason', async () => {
  await system.processes['quota']?.restart({ GRPC_ACCESS: 'gateway=knowledge.quota.v1.QuotaService/Peek' });
  const told = 'gateway may not call knowledge.quota.v1.QuotaService/ConsumeStream; it may call QuotaService/Peek.';
  await until('the refusal in the log', async () => {
    expectFailure(await read(), 503, 'unavailable');
    return system.processes['gateway']?.output().includes(told);
  });
});

async function shownBy(name: ServiceName): Promise<PeerCertificate> {
  const [host, port] = system.addresses[name].split(':');
  const { ca, cert, key } = certificates.of('desk');
  const socket = connect({ host, port: Number(port), ca, cert, key, ALPNProtocols: ['h2'] });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } finally {
    socket.destroy();
  }
}

function der(pem = ''): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}
