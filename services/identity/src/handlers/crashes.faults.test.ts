import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { Decision, IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { type Closable, closeAll, deadlineIn, KnowledgeError } from '@knowledge/runtime';
import { connectGrpc, type GrpcClient } from '@knowledge/runtime/grpc';
import {
  dropDatabases,
  openTestDatabase,
  type ReceivedMail,
  type ServiceProcess,
  type SmtpSink,
  type SmtpSinkOptions,
  startServiceProcess,
  startSmtpSink,
} from '@knowledge/runtime/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { codeIn, deskCall, keyIn } from '../testing/serve.js';

type Client = GrpcClient<typeof IdentityServiceService>;

const mongo = openTestDatabase('faults');
const { databaseName } = mongo.db;
const authorizations = mongo.db.collection('authorizations');
let quota: ServiceProcess;
beforeAll(async () => {
  // All these people are of one mail domain.
  const env = { AUTHORIZE_PER_MAIL_DOMAIN: '0', AUTHORIZE_PER_HOUR: '0' };
  quota = await startServiceProcess('quota', `${databaseName}_quota`, env);
});
afterAll(async () => {
  await quota.close();
  await mongo.close();
  await dropDatabases([`${databaseName}_quota`]);
});

const open: Closable[] = [];
afterEach(async () => {
  await closeAll(open.splice(0));
  await authorizations.deleteMany({});
  await mongo.db.collection('tokens').deleteMany({});
});

async function startSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options);
  open.push(sink);
  return sink;
}

async function startIdentity(smtpUrl: string): Promise<{ process: ServiceProcess; client: Client }> {
  const env = { SMTP_URL: smtpUrl, QUOTA_ADDRESS: quota.address, LOG_LEVEL: 'debug' };
  const started = await startServiceProcess('identity', databaseName, env);
  const client = connectGrpc(IdentityServiceService, { address: started.address, deadlineMs: 3000 });
  await client.ready(deadlineIn(5000));
  open.push(started, client);
  return { process: started, client };
}

const authorize = (client: Client, email: string, requestKey = randomUUID()) =>
  client.createAuthorization(
    { requestKey, email, agentName: 'Atlas', scopes: [], purpose: '', site: Site.ORG, ...noClient },
    deskCall,
  );
const fromProgram = { fromPage: false, keepWaiting: false };
const noClient = { clientAddress: '', clientId: '', renewedTokenId: '' };

/** Repeats a request with the same key until it succeeds, like a caller of the gateway. */
async function accepted(client: Client, email: string): Promise<void> {
  const requestKey = randomUUID();
  for (;;) {
    const answer = await authorize(client, email, requestKey).catch((error: KnowledgeError) => error);
    if (!(answer instanceof KnowledgeError)) return;
    expect(answer.code).toBe('unavailable');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const people = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@example.org`);
const mailsTo = ({ mails }: SmtpSink, email: string) => mails.filter(({ to }) => to[0] === email);

/** Moves the clock forward until the claims of a dead process have expired. */
async function claimsRunOut(): Promise<void> {
  const dueAt = new Date();
  await authorizations.updateMany({ mailsDueAt: { $type: 'date' } }, [
    {
      $set: {
        mailsDueAt: dueAt,
        mails: {
          $map: {
            input: '$mails',
            as: 'mail',
            in: { $cond: [{ $eq: ['$$mail.state', 'pending'] }, { $mergeObjects: ['$$mail', { dueAt }] }, '$$mail'] },
          },
        },
      },
    },
  ]);
}

it('sends a mail again if it dies before storing the acceptance; both links work, for one confirmation', async () => {
  const [email = ''] = people(1);
  let killed: Promise<void> | undefined;
  const sink = await startSink({
    refuseMessage: async () => {
      killed ??= identity.process.kill();
      await killed;
      return undefined;
    },
  });
  const identity = await startIdentity(sink.url);
  await authorize(identity.client, email);
  await vi.waitFor(() => expect(mailsTo(sink, email)).toHaveLength(1), 10_000);
  await identity.process.restart();
  await claimsRunOut();
  await vi.waitFor(() => expect(mailsTo(sink, email)).toHaveLength(2), 10_000);
  const [first, second] = mailsTo(sink, email) as [ReceivedMail, ReceivedMail];
  expect(second.mail.messageId).toBe(first.mail.messageId);
  const codes = [codeIn(first), codeIn(second)] as const;
  expect(codes[0]).not.toBe(codes[1]);
  const decide = (code: string) =>
    identity.client.decideAuthorization({ code, decision: Decision.CONFIRM, userCode: '', ...fromProgram }, deskCall);
  await identity.client.ready(deadlineIn(5000));
  const answers = [await decide(codes[0]), await decide(codes[1])];
  const [accessKey = '', again] = answers.map((each) => each.accessKey);
  expect((await identity.client.getAccess({ accessKey }, deskCall)).email).toBe(email);
  expect(again).toBe('');
  expect((await authorizations.findOne({ email }))?.history).toHaveLength(2);
});

it('has a mail for every accepted request, although it is killed again and again', async () => {
  const sink = await startSink();
  const { process: identity, client } = await startIdentity(sink.url);
  const emails = people(60);
  const asking = Promise.all(
    emails.map(async (email, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * 40));
      await accepted(client, email);
    }),
  );
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 300));
    await identity.kill();
    await identity.restart();
  }
  await asking;
  await claimsRunOut();
  await vi.waitFor(() => expect(new Set(sink.mails.map(({ to }) => to[0]))).toEqual(new Set(emails)), 15_000);
  // Each killed process was sending up to four mails, which may be sent again.
  expect(sink.mails.length).toBeLessThanOrEqual(60 + 4 * 4);
}, 120_000);

it('issues one token per authorization, even if it is killed while agents fetch the token', async () => {
  const sink = await startSink();
  const { process: identity, client } = await startIdentity(sink.url);
  const granted = await Promise.all(
    people(12).map(async (email) => {
      const { deviceCode } = await authorize(client, email);
      await vi.waitFor(() => expect(mailsTo(sink, email)).toHaveLength(1), 15_000);
      const code = codeIn(mailsTo(sink, email)[0] as ReceivedMail);
      await client.decideAuthorization({ code, decision: Decision.CONFIRM, userCode: '', ...fromProgram }, deskCall);
      return deviceCode;
    }),
  );
  const fetchUntilGiven = async (deviceCode: string): Promise<string> => {
    for (;;) {
      const answer = await client.exchangeDeviceCode({ deviceCode }, deskCall).catch((error: KnowledgeError) => error);
      if (!(answer instanceof KnowledgeError)) {
        if (answer.outcome?.$case !== 'issued') throw new Error('It was confirmed.');
        return answer.outcome.value.secret;
      }
      expect(answer.code).toBe('unavailable');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const fetching = Promise.all(
    granted.map(async (deviceCode, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * 60));
      return new Set(await Promise.all([1, 2, 3].map(() => fetchUntilGiven(deviceCode)))).size;
    }),
  );
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 150));
    await identity.kill();
    await identity.restart();
  }
  expect(await fetching).toEqual(granted.map(() => 1));
  expect(await mongo.db.collection('tokens').countDocuments()).toBe(granted.length);
  expect(await authorizations.countDocuments({ state: 'issued' })).toBe(granted.length);
}, 120_000);

it('sends exactly 100 mails for 100 requests with two processes', async () => {
  const sink = await startSink();
  const replicas = [await startIdentity(sink.url), await startIdentity(sink.url)] as const;
  const emails = people(100);
  for (let at = 0; at < 100; at += 20) {
    const { client } = replicas[(at / 20) % 2] ?? replicas[0];
    await Promise.all(emails.slice(at, at + 20).map((email) => accepted(client, email)));
  }
  await vi.waitFor(() => expect(sink.mails).toHaveLength(100), 15_000);
  await vi.waitFor(async () => expect(await authorizations.countDocuments({ mailsDueAt: { $type: 'date' } })).toBe(0));
  expect(sink.mails).toHaveLength(100);
  expect(new Set(sink.mails.map(({ to }) => to[0]))).toEqual(new Set(emails));
});

it('accepts requests within a second while the mail server is down or silent, and sends the mails later', async () => {
  const sockets = new Set<Socket>();
  const pit = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(pit, 'listening');
  const { port } = pit.address() as AddressInfo;
  const { client } = await startIdentity(`smtp://127.0.0.1:${port}`);
  const emails = people(20);
  const times: number[] = [];
  for (const email of emails) {
    const began = performance.now();
    await accepted(client, email);
    times.push(performance.now() - began);
  }
  // The test uses the median, because other tests can slow down single requests.
  expect(times.sort((one, other) => one - other)[10]).toBeLessThan(1000);
  await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(4), 15_000);
  pit.close();
  for (const socket of sockets) socket.destroy();
  await once(pit, 'close');
  const sink = await startSink({ port });
  await vi.waitFor(() => expect(sink.mails).toHaveLength(20), { timeout: 40_000, interval: 100 });
  expect(new Set(sink.mails.map(({ to }) => to[0]))).toEqual(new Set(emails));
}, 120_000);

it('responds with unavailable and sends no mail while the quota service is down', async () => {
  const sink = await startSink();
  const { client } = await startIdentity(sink.url);
  await quota.kill();
  try {
    await expect(authorize(client, people(1)[0] ?? '')).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await quota.restart();
  }
  expect(sink.mails).toHaveLength(0);
});

it('writes no code, key, token, device code or address into its log', async () => {
  const sink = await startSink({ refuseMessage: (attempt) => (attempt === 1 ? 451 : undefined) });
  const { process: identity, client } = await startIdentity(sink.url);
  const [email = '', other = ''] = people(2);
  await authorize(client, other);
  const { deviceCode } = await authorize(client, email);
  await vi.waitFor(() => expect(mailsTo(sink, email)).toHaveLength(1), 15_000);
  const code = codeIn(mailsTo(sink, email)[0] as ReceivedMail);
  const { accessKey } = await client.decideAuthorization(
    { code, decision: Decision.CONFIRM, userCode: '', ...fromProgram },
    deskCall,
  );
  const { outcome } = await client.exchangeDeviceCode({ deviceCode }, deskCall);
  if (outcome?.$case !== 'issued') throw new Error('not issued');
  await client.getAccess({ accessKey: 'wrong' }, deskCall).catch(() => undefined);
  await client.getConfirmation({ code: `${code}x` }, deskCall).catch(() => undefined);
  await authorize(client, `${email},${other}`).catch(() => undefined);
  await vi.waitFor(() => expect(mailsTo(sink, email)).toHaveLength(2), 15_000);
  const mailedKey = keyIn(mailsTo(sink, email)[1] as ReceivedMail);
  await identity.close();
  const log = identity.output.join('\n');
  expect(log).toContain('a mail is sent');
  for (const secret of [code, deviceCode, accessKey, mailedKey]) expect(log).not.toContain(secret.slice(37));
  for (const secret of [outcome.value.secret, email, other]) expect(log).not.toContain(secret);
});
