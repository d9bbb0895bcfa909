import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { createLogger } from '../log/logger.js';
import { operatorOf } from '../operator/operator.js';
import { createMetrics, openTestDatabase, type SmtpSinkOptions, startSmtpSink, telemetryOf } from '../testing/index.js';
import { createMongoOutbox, type MailOwner } from './mongo-outbox.js';
import { type MailTransport, newMail, stageLimitsMs } from './outbox.js';
import { Outbox, type OutboxOptions, type OutboxParts } from './outbox-worker.js';
import { type MailDraft, renderMail } from './render.js';
import { createSmtpTransport } from './smtp-transport.js';
import { mailVariables } from './variables.js';

interface Letter extends MailOwner {
  to: string;
}

const mongo = openTestDatabase('outbox');
const letters = mongo.db.collection<Letter>('letters');
afterAll(() => mongo.close());

let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const open: { close(): unknown }[] = [];
const lines: string[] = [];
beforeEach(() => {
  ahead = 0;
  lines.length = 0;
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  await letters.deleteMany({});
});

const sink = async (options?: SmtpSinkOptions) => {
  const started = await startSmtpSink(options);
  open.push(started);
  return started;
};
const jane = 'jane@example.org';
const store = createMongoOutbox(letters, { toOwner: (letter) => letter });

function transportTo(url: string, limitsMs: Partial<typeof stageLimitsMs> = {}): MailTransport {
  const config = readConfig({ SMTP_URL: url, MAIL_FROM: 'no-reply@example.org' }, mailVariables);
  return createSmtpTransport(config, undefined, { ...stageLimitsMs, ...limitsMs });
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const { port, close } = await startSmtpSink();
  await close();
  return port;
}

const hello: MailDraft = { subject: 'Hello', preview: '', blocks: [], footer: [] };
const operator = operatorOf({ PUBLIC_URL_IO: 'http://localhost', PUBLIC_URL_ORG: 'http://localhost' });

function run(transport: MailTransport, changes: Partial<OutboxParts<Letter>> & OutboxOptions = {}) {
  const compose = async ({ owner }: { owner: Letter }) => ({ to: owner.to, ...renderMail(hello) });
  const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
  const outbox = new Outbox<Letter>(
    { store, compose, transport, operator, log, now, ...changes },
    { pollMs: 20, ...changes },
  );
  open.push(outbox);
  return outbox;
}

const write = (to = jane, mails = 1) => {
  const at = now();
  const recorded = Array.from({ length: mails }, () => newMail(randomUUID(), 'hello', at));
  return letters.insertOne({ _id: randomUUID(), to, mails: recorded, mailsDueAt: at });
};
const states = async () => (await letters.find().toArray()).flatMap(({ mails }) => mails.map(({ state }) => state));

it('measures the waiting mails, the oldest of them, and the result of each attempt', async () => {
  const metrics = createMetrics('test');
  const shown = async (name: string, label = '') => {
    const lines = (await metrics.expose()).body.split('\n');
    return Number(lines.find((line) => line.startsWith(`${name}{`) && line.includes(label))?.split(' ')[1]);
  };
  let up = false;
  const { url } = await sink({ refuseMessage: () => (up ? undefined : 451) });
  await write(jane, 2);
  const outbox = run(transportTo(url), { telemetry: telemetryOf(metrics), concurrency: 1 });
  await vi.waitFor(() => expect(outbox.counts.postponed).toBe(2), 10_000);
  await vi.waitFor(async () => expect(await shown('knowledge_outbox_depth')).toBe(2), 5000);
  expect(await shown('knowledge_outbox_oldest_seconds')).toBeGreaterThan(0);
  expect(await shown('knowledge_outbox_overdue_seconds')).toBe(0);
  expect(await shown('knowledge_mail_attempts_total', 'result="postponed"')).toBe(2);
  expect(await shown('knowledge_mail_attempts_total', 'result="refused"')).toBe(0);
  up = true;
  ahead = 3_600_000;
  await vi.waitFor(() => expect(outbox.counts.sent).toBe(2), 10_000);
  await vi.waitFor(async () => expect(await shown('knowledge_outbox_depth')).toBe(0), 5000);
  expect(await shown('knowledge_outbox_oldest_seconds')).toBe(0);
  expect((await metrics.expose()).body).toMatch(/attempts_total\{purpose="hello",result="sent",process="test"\} 2/);
});

it('sends every mail of a document once and stores the time', async () => {
  const { url, mails } = await sink();
  await write(jane, 3);
  const outbox = run(transportTo(url));
  await vi.waitFor(() => expect(outbox.counts.sent).toBe(3));
  await vi.waitFor(async () => expect(await states()).toEqual(['sent', 'sent', 'sent']));
  const [letter] = await letters.find().toArray();
  expect(letter?.mailsDueAt).toBeNull();
  expect(letter?.mails.every(({ sentAt, attempts }) => sentAt instanceof Date && attempts === 1)).toBe(true);
  expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(3);
});

it('retries a deferred mail with the same id, and gives up a refused mail', async () => {
  const { url, mails } = await sink({
    refuseRecipient: (address) => (address.startsWith('gone') ? '550 5.1.1' : undefined),
    refuseMessage: (attempt) => (attempt < 3 ? 451 : undefined),
  });
  await write('gone@example.org');
  await write();
  const outbox = run(transportTo(url));
  // The clock goes ahead below. A mail whose end is not stored by then would be tried again.
  await vi.waitFor(async () => expect(await states()).toContain('refused'));
  // The pause grows with the time that was tried.
  for (const [postponed, later] of [
    [1, 60_000],
    [2, 3_600_000],
  ] as const) {
    await vi.waitFor(() => expect(outbox.counts.postponed).toBe(postponed));
    ahead += later;
  }
  await vi.waitFor(() => expect(outbox.counts).toMatchObject({ sent: 1, refused: 1 }));
  expect(mails).toHaveLength(1);
  await vi.waitFor(async () => expect((await states()).sort()).toEqual(['refused', 'sent']));
  expect(lines.join('')).not.toContain('example.org');
  expect(lines.join('')).toContain('refused for good');
});

it('waits for a mail server that is down, and loses no mail', async () => {
  const port = await closedPort();
  for (let at = 0; at < 20; at++) await write(`jane${at}@example.org`);
  const outbox = run(transportTo(`smtp://127.0.0.1:${port}`));
  await vi.waitFor(() => expect(outbox.counts.postponed).toBeGreaterThanOrEqual(20));
  const { mails } = await sink({ port });
  // A worker retries an unreachable mail server after at most 30 s.
  ahead += 30_000;
  await vi.waitFor(() => expect(mails).toHaveLength(20), 5000);
  expect(new Set(mails.map(({ to }) => to[0])).size).toBe(20);
});

it('divides 200 mails among two workers without sending one twice', async () => {
  const { url, mails } = await sink();
  for (let at = 0; at < 200; at++) await write(`jane${at}@example.org`);
  const outboxes = [run(transportTo(url)), run(transportTo(url))];
  await vi.waitFor(() => expect(outboxes.reduce((sum, { counts }) => sum + counts.sent, 0)).toBe(200), 15_000);
  expect(mails).toHaveLength(200);
  expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(200);
  for (const { counts } of outboxes) expect(counts.sent).toBeGreaterThan(20);
});

it('lets another worker send a mail after a claim expired; the late result of the first changes nothing', async () => {
  const { url, mails } = await sink();
  await write();
  let finish = (): void => undefined;
  const stuck: MailTransport = {
    send: () =>
      new Promise((resolve) => {
        const failure = { stage: 'RCPT TO', code: '550 5.1.1', words: '' } as const;
        finish = () => resolve({ kind: 'refused', failure, handedOver: false });
      }),
  };
  // With one mail at a time, the stuck worker cannot claim its own mail again.
  const first = run(stuck, { concurrency: 1 });
  await vi.waitFor(async () => expect((await letters.findOne())?.mails[0]?.attempts).toBe(1));
  ahead += 61_000;
  const second = run(transportTo(url));
  await vi.waitFor(() => expect(second.counts.sent).toBe(1));
  await vi.waitFor(async () => expect(await states()).toEqual(['sent']));
  finish();
  await vi.waitFor(() => expect(first.counts.refused).toBe(1));
  await first.close();
  expect(await states()).toEqual(['sent']);
  expect(mails).toHaveLength(1);
});

it('cancels a mail that is no longer needed, and gives up after 24 hours', async () => {
  const { url, mails } = await sink();
  await write('nobody@example.org');
  const cancelling = run(transportTo(url), { compose: async () => undefined });
  await vi.waitFor(() => expect(cancelling.counts.cancelled).toBe(1));
  await cancelling.close();
  await write('late@example.org');
  const outbox = run(transportTo(`smtp://127.0.0.1:${await closedPort()}`));
  await vi.waitFor(() => expect(outbox.counts.postponed).toBe(1));
  ahead += 24 * 3_600_000 + 1;
  await vi.waitFor(() => expect(outbox.counts.refused).toBe(1));
  expect(mails).toHaveLength(0);
});

it('retries a mail that could not be composed', async () => {
  const { url } = await sink();
  await write();
  let attempts = 0;
  const outbox = run(transportTo(url), {
    compose: async ({ owner }) => {
      if (++attempts === 1) throw new Error('not now');
      return { to: owner.to, ...renderMail(hello) };
    },
  });
  await vi.waitFor(() => expect(outbox.counts.postponed).toBe(1));
  ahead += 10_000;
  await vi.waitFor(() => expect(outbox.counts.sent).toBe(1));
});

/** A promise that the test resolves. */
function gate() {
  let open = (_: undefined): void => undefined;
  const opens = new Promise<undefined>((resolve) => (open = resolve));
  return { opens, open: () => open(undefined) };
}

const mailOf = async (to = jane) => (await letters.findOne({ to }))?.mails[0];

it('sends a mail at most three times if the server never says whether it accepted it', async () => {
  const never = gate();
  let copies = 0;
  const { url } = await sink({
    refuseMessage: () => {
      copies++;
      return never.opens;
    },
  });
  await write();
  const outbox = run(transportTo(url, { DOT: 100 }));
  const gaps: number[] = [];
  for (const copy of [1, 2]) {
    await vi.waitFor(async () => expect(await mailOf()).toMatchObject({ copies: copy }), 5000);
    await vi.waitFor(() => expect(outbox.counts.postponed).toBe(copy));
    await vi.waitFor(async () => {
      const mail = await mailOf();
      gaps[copy - 1] = (mail?.dueAt.getTime() ?? 0) - (mail?.failure?.at.getTime() ?? 0);
      expect(gaps[copy - 1]).toBeGreaterThanOrEqual(600_000);
    });
    ahead += 3 * 3_600_000;
  }
  await vi.waitFor(async () => expect(await states()).toEqual(['unknown']), 5000);
  expect(outbox.counts).toMatchObject({ postponed: 2, unknown: 1, sent: 0 });
  expect(gaps[1]).toBeGreaterThanOrEqual(3_600_000);
  ahead += 23 * 3_600_000;
  await outbox.close();
  expect(copies).toBe(3);
  never.open();
});

it('makes no copy within ten minutes if its worker dies while the server still works on the mail', async () => {
  const held = gate();
  const { url, mails } = await sink({ refuseMessage: () => held.opens });
  await write();
  const first = run(transportTo(url), { beatMs: 100 });
  await vi.waitFor(async () => expect(await mailOf()).toMatchObject({ copies: 1, state: 'pending' }));
  const { dueAt } = (await mailOf()) ?? {};
  expect((dueAt?.getTime() ?? 0) - now().getTime()).toBeGreaterThan(590_000);
  held.open();
  await vi.waitFor(() => expect(first.counts.sent).toBe(1));
  expect(mails).toHaveLength(1);
  await vi.waitFor(async () => expect(await states()).toEqual(['sent']));
});

it('extends the claim of a slow mail, so that no other worker sends it', async () => {
  const held = gate();
  const { url, mails } = await sink({ refuseRecipient: () => held.opens });
  await write();
  const outboxes = [1, 2].map(() => run(transportTo(url), { beatMs: 50, claimMs: 400 }));
  await vi.waitFor(async () => {
    const { dueAt, recordedAt } = (await mailOf()) ?? {};
    expect((dueAt?.getTime() ?? 0) - (recordedAt?.getTime() ?? 0)).toBeGreaterThan(1500);
  }, 5000);
  held.open();
  await vi.waitFor(async () => expect(await states()).toEqual(['sent']));
  expect(mails).toHaveLength(1);
  expect((await mailOf())?.attempts).toBe(1);
  expect(outboxes.map(({ counts }) => counts.postponed)).toEqual([0, 0]);
});

it('sends other mails while the server is slow with many, and those in the end', async () => {
  const later = gate();
  const { url, mails } = await sink({
    refuseRecipient: (address) => (address.startsWith('slow') ? later.opens : undefined),
  });
  for (let at = 0; at < 30; at++) await write(`slow${at}@example.org`);
  const outbox = run(transportTo(url), { beatMs: 1000 });
  await vi.waitFor(() => expect(outbox.counts.postponed).toBeGreaterThan(0), 20_000);
  for (let at = 0; at < 10; at++) await write(`quick${at}@example.org`);
  outbox.wake();
  await vi.waitFor(() => expect(mails).toHaveLength(10), 20_000);
  later.open();
  // A claim lasts 60 s and is extended each second: three steps of the clock must not end it.
  const step = { interval: 500, timeout: 40_000 };
  await vi.waitFor(() => {
    ahead += 20_000;
    expect(outbox.counts.sent).toBe(40);
  }, step);
  expect(mails).toHaveLength(40);
}, 90_000);

it('holds a mail that the server refuses because of us, with its words, and sends it once that is repaired', async () => {
  let repaired = false;
  const { url } = await sink({ refuseSender: () => (repaired ? undefined : '553 5.7.1') });
  await write();
  const outbox = run(transportTo(url));
  await vi.waitFor(() => expect(outbox.counts.held).toBe(1));
  const words = '553 5.7.1 The test says no.';
  const failure = { kind: 'held', stage: 'MAIL FROM', code: '553 5.7.1', words };
  await vi.waitFor(async () => expect(await mailOf()).toMatchObject({ state: 'pending', failure }));
  expect(await store.backlog(AbortSignal.timeout(5000))).toMatchObject({ pending: 1, held: 1 });
  repaired = true;
  ahead += 60_000;
  await vi.waitFor(() => expect(outbox.counts.sent).toBe(1));
});

it('lists what failed without addresses, and sends it again for another 24 hours', async () => {
  let repaired = false;
  const words = '550 5.1.1 <jane@example.org>: unknown,' as const;
  const { url, mails } = await sink({ refuseRecipient: () => (repaired ? undefined : words) });
  await write();
  const outbox = run(transportTo(url));
  await vi.waitFor(() => expect(outbox.counts.refused).toBe(1));
  const signal = AbortSignal.timeout(10_000);
  await vi.waitFor(async () => expect(await store.failed(signal)).toHaveLength(1));
  const [failed] = await store.failed(signal);
  const failure = { kind: 'refused', words: '550 5.1.1 <(address)>: unknown, The test says no.' };
  expect(failed).toMatchObject({ state: 'refused', failure });
  repaired = true;
  ahead += 48 * 3_600_000;
  const sendAgain = (owner = failed?.ownerId ?? '') => store.sendAgain(owner, failed?.id ?? '', now(), signal);
  expect(await sendAgain('another')).toBeUndefined();
  expect(await sendAgain()).toMatchObject({ to: jane });
  outbox.wake();
  await vi.waitFor(() => expect(mails).toHaveLength(1));
  await vi.waitFor(async () => expect(await store.failed(signal)).toEqual([]));
  // What is sent is not sent again.
  expect(await sendAgain()).toBeUndefined();
});
