import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { endMailClaims } from '@knowledge/runtime/testing';
import type { ParsedMail } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForAccess, confirmationCodeIn, confirmUrl, consent, freshEmail, recipients } from '../harness/agent.js';
import { bearer, call, expectFailure } from '../harness/http.js';
import { type MailSink, startMailSink } from '../harness/mail-sink.js';
import { ownSystem } from '../harness/own.js';
import { catalogOf, seedReading } from '../harness/reading.js';
import { until } from '../harness/until.js';
import { dumpOf, leaksIn } from './leaks.js';
import { type Promised, startWriteLoad } from './write-load.js';

const kills = Number(process.env['FAULT_KILLS'] ?? 10);
const outageMs = 1000 * Number(process.env['FAULT_OUTAGE_SECONDS'] ?? 5);
const mailsWithinMs = 90_000;
/** With more kills there are more acknowledged changes, and checking them takes longer. */
const checkingMs = 180_000 + kills * 3_000;

const sinks: MailSink[] = [];
const secrets: string[] = [];
const emails: string[] = [];
const mails = (): ParsedMail[] => sinks.flatMap((sink) => sink.mails);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

afterAll(async () => {
  for (const sink of sinks.slice(1)) await sink.close();
});
const system = await ownSystem({ gateways: 2, env: { LOG_LEVEL: 'trace' } });
sinks.push(system.mail);
await seedReading(system);

describe(`identity and contributions killed ${kills} times under load`, () => {
  let promised: Promised;

  beforeAll(
    async () => {
      const load = startWriteLoad(system);
      for (let at = 0; at < kills; at += 1) {
        const service = system.processes[at % 2 === 0 ? 'identity' : 'contributions'];
        await pause(Math.random() * 1_000);
        await service?.kill('SIGKILL');
        await service?.restart();
      }
      await load.stop();
      promised = load.promised;
      await endMailClaims(system.db('identity').collection('authorizations'));
      await endMailClaims(system.db('contributions').collection('contributions'));
      secrets.push(...promised.tokens, ...promised.requests.map(({ deviceCode }) => deviceCode));
      emails.push(...promised.contributions.keys(), ...promised.requests.map(({ email }) => email));
    },
    60_000 + kills * 10_000,
  );

  test('callers get the documented responses or an error that allows a retry', () => {
    expect(promised.unexpected).toEqual([]);
    expect(promised.unavailable).toBeGreaterThan(0);
    expect(promised.requests.length).toBeGreaterThan(kills);
    expect(promised.published.length).toBeGreaterThan(kills);
  });

  test(
    'every 202 has its mail, a repeated mail has the same Message-ID, and each code works',
    async () => {
      const all = () => {
        const sent = byRecipient(mails().filter(isConfirmation));
        return promised.requests.every(({ email }) => sent.has(email)) && sent;
      };
      const byAddress = await until('every mail', all, mailsWithinMs, 500);
      await eightAtOnce(promised.requests, async ({ email, userCode }) => {
        const sent = byAddress.get(email) ?? [];
        expect(new Set(sent.map(({ messageId }) => messageId)).size, email).toBe(1);
        for (const mail of sent) {
          expect(mail.text).toContain(userCode);
          const shown = await call(confirmUrl(system, mail));
          expect([shown.status, shown.json.authorization?.state]).toEqual([200, 'pending']);
        }
      });
    },
    checkingMs,
  );

  test(
    'every 201 has exactly one contribution, even if it was sent several times',
    async () => {
      for (const [email, taken] of promised.contributions) {
        const ids = [...taken.values()].map((each) => [...each]);
        expect(ids.filter((each) => each.length !== 1)).toEqual([]);
        const all = { state: ContributionState.UNSPECIFIED, pageSize: 100, pageToken: '', authorizationId: '' };
        const query = { email, ...all };
        const { contributions } = await system.clients.contributions.listContributions(query, { requestId: 'faults' });
        expect(contributions.map(({ id }) => id).sort()).toEqual(ids.flat().sort());
      }
    },
    checkingMs,
  );

  test(
    'every acknowledged publication appears in the catalog once, and its human gets a mail',
    async () => {
      const published = async () => {
        const ids = await catalogOf(system.url);
        return promised.published.every((id) => ids.includes(id)) && ids;
      };
      const catalog = await until('everything in the catalog', published, 60_000, 500);
      expect(new Set(catalog).size).toBe(catalog.length);
      expect(new Set(promised.published).size).toBe(promised.published.length);
      const areTold = () => {
        const texts = mails().map(({ text }) => text);
        const told = new Set([...texts.join().matchAll(/\/objects\/([0-9a-f-]{36})/g)].map(([, id]) => id));
        return promised.published.every((id) => told.has(id));
      };
      await until('the mails of publication', areTold, mailsWithinMs, 500);
    },
    checkingMs,
  );
});

describe.each([
  ['is down', async () => async () => undefined],
  ['takes connections and never speaks', silentServer],
] as const)('a mail server that %s while 20 ask for access', (_what, fault) => {
  test('20 requests get 202 without waiting for it, and 20 mails are sent later', async () => {
    const port = Number(new URL(system.mail.url).port);
    await sinks.at(-1)?.close();
    const mend = await fault(port);
    const asked = Array.from({ length: 20 }, () => freshEmail('patient'));
    emails.push(...asked);
    await Promise.all(
      asked.map(async (email) => {
        const { answer, deviceCode } = await askForAccess(system, email);
        expect(answer.status).toBe(202);
        secrets.push(deviceCode);
      }),
    );
    await pause(outageMs);
    await mend();
    const sink = await startMailSink(port);
    sinks.push(sink);
    const confirmations = () =>
      sink.mails.filter(isConfirmation).filter((mail) => recipients(mail).some((each) => asked.includes(each)));
    await until('20 mails', () => confirmations().length >= 20, mailsWithinMs, 100);
    const mailed = confirmations().map((mail) => recipients(mail).join());
    expect(mailed.sort()).toEqual([...asked].sort());
    for (const mail of confirmations()) expect((await call(confirmUrl(system, mail))).status).toBe(200);
  });
});

test('no log contains a code, device code, token, key or e-mail, and no database contains a secret', async () => {
  // Uses everything that handles secrets again, by browser and agent, with correct and wrong values.
  const html = { accept: 'text/html' };
  for (let at = 0; at < 3; at += 1) {
    const { token, email } = await consent({ ...system, mail: sinks.at(-1) ?? system.mail }, freshEmail('owner'));
    secrets.push(token);
    emails.push(email);
    expect((await askForAccess(system, `${email},${email}`)).answer.status).toBe(400);
    expect((await call(`${system.url}/api/v1/agent/token`, { headers: bearer(token) })).status).toBe(200);
    const refused = await call(`${system.url}/api/v1/agent/token`, { headers: bearer(`${token}x`) });
    expectFailure(refused, 401, 'invalid_token');
    const key = await until('the own link', () => {
      const own = mails().filter((mail) => recipients(mail).includes(email));
      return own.map(({ text }) => /\/access\?key=([^\s&"<>]+)/.exec(text ?? '')?.[1]).find((each) => each);
    });
    const [code] = mails()
      .filter((mail) => recipients(mail).includes(email))
      .flatMap((mail) => confirmationCodeIn(mail) ?? []);
    const page = await call(`${system.url}/api/v1/agent/authorize/confirm?code=${code}`, {
      method: 'POST',
      headers: html,
    });
    secrets.push(...[...page.text.matchAll(/\/access\?key=([\w.-]+)/g)].map(([, each = '']) => each));
    for (const wrong of ['', 'x']) {
      for (const path of [`/access?key=${key}`, `/api/v1/agent/authorize/confirm?code=${code}`]) {
        for (const method of ['GET', 'HEAD', 'PUT'])
          await call(`${system.url}${path}${wrong}`, { method, headers: html });
      }
    }
    if (at === 0) await call(`${system.url}/access?key=${key}`, { method: 'POST', headers: html });
  }
  const mailed = mails().flatMap(({ text }) => [...(text ?? '').matchAll(/(?:code|key)=([\w.-]+)/g)]);
  secrets.push(...mailed.map(([, each = '']) => each));
  expect(secrets.filter((secret) => secret.length < 43)).toEqual([]);
  expect(secrets.length).toBeGreaterThan(100);
  // The mails contain the secrets, so the search must find them there.
  const inMails = mails().map(({ text }) => text);
  expect(leaksIn(inMails.join(), secrets).length).toBeGreaterThan(100);

  const logs = await system.logsAtEnd();
  expect(logs.length).toBeGreaterThan(10_000);
  expect(leaksIn(logs, secrets)).toEqual([]);
  expect(
    logs.match(/[^\s"]{1,80}@example\.org/g)?.filter((each) => !each.endsWith('knowledge@example.org')) ?? [],
  ).toEqual([]);
  expect(emails.filter((email) => logs.includes(email.split('@')[0] ?? email))).toEqual([]);

  const dump = await dumpOf(system.mongodbUri, Object.values(system.databases));
  expect(dump).toContain(emails[0]);
  expect(leaksIn(dump, secrets)).toEqual([]);
});

/** Starts a server that accepts connections and never responds. */
async function silentServer(port: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

function isConfirmation(mail: ParsedMail): boolean {
  return confirmationCodeIn(mail) !== undefined;
}

async function eightAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

function byRecipient(all: readonly ParsedMail[]): Map<string, ParsedMail[]> {
  const grouped = new Map<string, ParsedMail[]>();
  for (const mail of all) {
    const to = recipients(mail).join();
    grouped.set(to, [...(grouped.get(to) ?? []), mail]);
  }
  return grouped;
}
