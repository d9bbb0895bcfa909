import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { createTestAuthority, type SmtpSinkOptions, startSmtpSink } from '../testing/index.js';
import type { MailMessage, SendOutcome } from './message.js';
import { createSmtpTransport } from './smtp-transport.js';
import { mailFaults, mailVariables } from './variables.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const message: MailMessage = {
  to: 'jane@example.org',
  id: 'mail-1',
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text</p>',
};

const sink = async (options?: SmtpSinkOptions) => {
  const started = await startSmtpSink(options);
  open.push(started);
  return started;
};

function send(env: Record<string, string>, changes: Partial<MailMessage> = {}): Promise<SendOutcome> {
  const transport = createSmtpTransport(
    readConfig({ MAIL_FROM: 'Knowledge <no-reply@example.org>', ...env }, mailVariables),
    'help@example.org',
  );
  open.push(transport);
  return transport.send({ ...message, ...changes });
}

it('sends both parts to one mailbox, with the configured sender and a stable id', async () => {
  const { url, mails } = await sink();
  expect(await send({ SMTP_URL: url })).toEqual({ kind: 'accepted' });
  expect(mails).toMatchObject([{ to: ['jane@example.org'], from: 'no-reply@example.org' }]);
  expect(mails[0]?.mail).toMatchObject({
    subject: 'Hello',
    text: 'Text',
    html: '<p>Text</p>',
    messageId: '<mail-1@example.org>',
  });
  expect(mails[0]?.mail.replyTo?.value).toMatchObject([{ address: 'help@example.org' }]);
  expect(mails[0]?.mail.headers.get('auto-submitted')).toBe('auto-generated');
});

it.each([
  'jane@example.org, joe@example.org',
  'jane@example.org\r\nBcc: joe@example.org',
  '<joe@example.org> jane@example.org',
  'joe@example.org(jane@example.org)',
])('refuses %j without contacting a server', async (to) => {
  const { url, mails } = await sink();
  expect(await send({ SMTP_URL: url }, { to })).toEqual({ kind: 'refused', responseCode: undefined });
  expect(mails).toEqual([]);
});

it('does not let a subject add a header', async () => {
  const { url, mails } = await sink();
  await send({ SMTP_URL: url }, { subject: 'Hello\r\nBcc: joe@example.org\r\n\r\nbody' });
  expect(mails[0]?.to).toEqual(['jane@example.org']);
  expect(mails[0]?.mail.headers.has('bcc')).toBe(false);
});

it('distinguishes a final refusal from a temporary one, for the recipient and for the message', async () => {
  const { url } = await sink({
    refuseRecipient: (address) => ({ 'gone@example.org': 550, 'busy@example.org': 451 })[address],
    refuseMessage: (_, { mail }) => ({ Spam: 554, Later: 421 })[mail.subject ?? ''],
  });
  expect(await send({ SMTP_URL: url }, { to: 'gone@example.org' })).toEqual({ kind: 'refused', responseCode: 550 });
  expect(await send({ SMTP_URL: url }, { to: 'busy@example.org' })).toEqual({
    kind: 'deferred',
    responseCode: 451,
    handedOver: false,
  });
  expect(await send({ SMTP_URL: url }, { subject: 'Spam' })).toEqual({ kind: 'refused', responseCode: 554 });
  expect(await send({ SMTP_URL: url }, { subject: 'Later' })).toEqual({
    kind: 'deferred',
    responseCode: 421,
    handedOver: true,
  });
});

it('waits 5 s for a server that accepts the connection and sends nothing', async () => {
  const pit = createServer().listen(0, '127.0.0.1');
  await once(pit, 'listening');
  open.push(pit);
  const began = performance.now();
  const outcome = await send({ SMTP_URL: `smtp://127.0.0.1:${(pit.address() as AddressInfo).port}` });
  expect(outcome).toMatchObject({ kind: 'unreachable' });
  expect(performance.now() - began).toBeLessThan(7000);
});

it('reports that no server listens', async () => {
  const { port, close } = await startSmtpSink();
  await close();
  expect(await send({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject({ kind: 'unreachable' });
});

it('reports an unknown outcome when the response to a mail is lost', async () => {
  const rude = createServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('error', () => undefined);
    let taking = false;
    socket.on('data', (bytes) => {
      if (taking) socket.destroy();
      taking ||= bytes.toString().startsWith('DATA');
      if (!socket.destroyed) socket.write(taking ? '354 go on\r\n' : '250 fine\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(rude, 'listening');
  open.push(rude);
  const { port } = rude.address() as AddressInfo;
  expect(await send({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject({ kind: 'unknown' });
});

it('logs in over STARTTLS if the configured authority signed the certificate', async () => {
  const authority = createTestAuthority();
  const login = { user: 'us@example.org', password: 'p@ss/word' };
  const { port, mails } = await sink({ tls: authority.issue('localhost'), login });
  const url = (password: string) => `smtp://us%40example.org:${encodeURIComponent(password)}@localhost:${port}`;
  expect(await send({ SMTP_URL: url(login.password), SMTP_TLS_CA: authority.ca })).toEqual({ kind: 'accepted' });
  expect(mails).toHaveLength(1);
  expect(await send({ SMTP_URL: url('wrong'), SMTP_TLS_CA: authority.ca })).toMatchObject({
    kind: 'unreachable',
    reason: expect.stringContaining('EAUTH') as string,
  });
});

it('sends nothing in plaintext beyond loopback', async () => {
  const { port, mails } = await sink();
  // This address reaches the same machine, but it is not a loopback address.
  const SMTP_URL = `smtp://0.0.0.0:${port}`;
  const refused = await send({ SMTP_URL });
  expect(refused).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('ETLS') as string });
  expect(mails).toEqual([]);
  expect(await send({ SMTP_URL, SMTP_PLAINTEXT: 'true' })).toEqual({ kind: 'accepted' });
});

it('reports wrong variables', () => {
  const faults = (env: Record<string, string>) => mailFaults(readConfig(env, mailVariables));
  expect(faults({})).toEqual([]);
  expect(faults({ SMTP_URL: 'smtps://u:p@mail.example.org' })).toEqual([]);
  expect(faults({ SMTP_URL: 'smtp://u@mail.example.org' })).toHaveLength(1);
  expect(faults({ SMTP_URL: 'smtp://mail.example.org?requireTLS=false' })).toHaveLength(1);
  expect(faults({ MAIL_FROM: 'nobody' })).toHaveLength(1);
});
