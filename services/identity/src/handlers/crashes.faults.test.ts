import { randomUUID } from 'node:crypto';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { type Closable, closeAll, deadlineIn, KnowledgeError } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import {
  dropDatabases,
  endMailClaims,
  openTestDatabase,
  type ReceivedMail,
  type SmtpSink,
  type SmtpSinkOptions,
  startServiceProcess,
  startSmtpSink,
} from '@knowledge/runtime/testing';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { codeIn, deskCall, peopleOf } from '../testing/serve.js';

const mongo = openTestDatabase('faults');
const { databaseName } = mongo.db;
const authorizations = mongo.db.collection('authorizations');
// All these people are of one mail domain.
const env = { AUTHORIZE_PER_MAIL_DOMAIN: '0', AUTHORIZE_PER_HOUR: '0' };
const quota = await startServiceProcess('quota', `${databaseName}_quota`, env);
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

async function startIdentity(sink: SmtpSink) {
  const env = { SMTP_URL: sink.url, QUOTA_ADDRESS: quota.address, LOG_LEVEL: 'debug' };
  const started = await startServiceProcess('identity', databaseName, env);
  const client = connectGrpc(IdentityServiceService, { address: started.address, deadlineMs: 3000 });
  await client.ready(deadlineIn(5000));
  open.push(started, client);
  return { process: started, client, ...peopleOf({ identity: client, sink }) };
}

const people = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@example.org`);

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
  const identity = await startIdentity(sink);
  await identity.authorize(email);
  await vi.waitFor(() => expect(identity.mailsTo(email)).toHaveLength(1), 10_000);
  await identity.process.restart();
  await endMailClaims(authorizations);
  await vi.waitFor(() => expect(identity.mailsTo(email)).toHaveLength(2), 10_000);
  const [first, second] = identity.mailsTo(email) as [ReceivedMail, ReceivedMail];
  expect(second.mail.messageId).toBe(first.mail.messageId);
  const codes = [codeIn(first), codeIn(second)] as const;
  expect(codes[0]).not.toBe(codes[1]);
  await identity.client.ready(deadlineIn(5000));
  const answers = [await identity.decide(codes[0]), await identity.decide(codes[1])];
  const [accessKey = '', again] = answers.map((each) => each.accessKey);
  expect((await identity.client.getAccess({ accessKey }, deskCall)).email).toBe(email);
  expect(again).toBe('');
  expect((await authorizations.findOne({ email }))?.history).toHaveLength(2);
});

it('issues one token per authorization, even if it is killed while agents fetch the token', async () => {
  const sink = await startSink();
  const { process: identity, client, authorize, decide, mailsTo } = await startIdentity(sink);
  const granted = await Promise.all(
    people(12).map(async (email) => {
      const { deviceCode } = await authorize(email, { clientAddress: '' });
      await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), 15_000);
      const code = codeIn(mailsTo(email)[0] as ReceivedMail);
      await decide(code);
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

it('responds with unavailable and sends no mail while the quota service is down', async () => {
  const sink = await startSink();
  const { authorize } = await startIdentity(sink);
  await quota.kill();
  try {
    await expect(authorize(people(1)[0] ?? '')).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await quota.restart();
  }
  expect(sink.mails).toHaveLength(0);
});
