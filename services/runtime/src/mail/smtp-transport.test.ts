import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { publicUrlVariables, readConfig } from '../config/read-config.js';
import { createTestAuthority, type SmtpSinkOptions, startSmtpSink } from '../testing/index.js';
import { type MailMessage, type SendOutcome, stageLimitsMs } from './outbox.js';
import { createSmtpTransport } from './smtp-transport.js';
import { mailFaults, mailVariables } from './variables.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const message: MailMessage = {
  ...{ to: 'jane@example.org', id: 'mail-1', subject: 'Hello', text: 'Text', html: '<p>Text</p>' },
};

const sink = async (options?: SmtpSinkOptions) => {
  const started = await startSmtpSink(options);
  open.push(started);
  return started;
};

function send(
  env: Record<string, string>,
  changes: Partial<MailMessage> = {},
  limitsMs: Partial<typeof stageLimitsMs> = {},
): Promise<SendOutcome> {
  const config = readConfig({ MAIL_FROM: 'Knowledge <no-reply@example.org>', ...env }, mailVariables);
  const transport = createSmtpTransport(config, 'help@example.org', { ...stageLimitsMs, ...limitsMs });
  return transport.send(async () => ({ ...message, ...changes }));
}

/** The URL of a server that does this with each connection. */
async function serving(connected: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    connected(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server, { close: () => sockets.forEach((socket) => void socket.destroy()) });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that waits for ever before one of its responses, or for `pauseMs` before each. */
async function slowServer({ silentAt = '', pauseMs = 0 }): Promise<{ SMTP_URL: string }> {
  const SMTP_URL = await serving((socket) => {
    let inText = false;
    const respond = (to: string, response: string): void => {
      if (to !== silentAt) setTimeout(() => socket.writable && socket.write(`${response}\r\n`), pauseMs);
    };
    respond('GREETING', '220 hello');
    socket.on('data', (bytes) => {
      const words = bytes.toString();
      if (inText) {
        if (words.endsWith('\r\n.\r\n')) respond('DOT', '250 2.0.0 taken');
        return;
      }
      const command = words.slice(0, 4);
      inText = command === 'DATA';
      respond(command, inText ? '354 go on' : '250 fine');
    });
  });
  return { SMTP_URL };
}

it('sends both parts to one mailbox, with the configured sender and a stable id', async () => {
  const { url, mails } = await sink();
  expect(await send({ SMTP_URL: url })).toEqual({ kind: 'accepted' });
  expect(mails).toMatchObject([{ to: ['jane@example.org'], from: 'no-reply@example.org' }]);
  const { subject, text, html } = message;
  expect(mails[0]?.mail).toMatchObject({ subject, text, html, messageId: '<mail-1@example.org>' });
  expect(mails[0]?.mail.replyTo?.value).toMatchObject([{ address: 'help@example.org' }]);
  expect(mails[0]?.mail.headers.get('auto-submitted')).toBe('auto-generated');
});

it.each([
  'jane@example.org, joe@example.org',
  'jane@example.org\r\nBcc: joe@example.org',
  '<joe@example.org> jane@example.org',
  'joe@example.org(jane@example.org)',
])('refuses %j without naming it to a server', async (to) => {
  const { url, mails } = await sink();
  expect(await send({ SMTP_URL: url }, { to })).toMatchObject({ kind: 'refused' });
  expect(mails).toEqual([]);
});

it('keeps each line of the text whole as it travels, so that a link in it works unread by a decoder', async () => {
  const { url, mails } = await sink();
  const link = `https://knowledge.example/api/v1/agent/authorize/confirm?code=${'0b9f2c1e-'.repeat(9)}`;
  await send({ SMTP_URL: url }, { text: `“Atlas” – look…\n\n${link}\n` });
  expect(mails[0]?.raw).toContain(`\r\n${link}\r\n`);
  expect(mails[0]?.mail.text).toBe(`"Atlas" - look...\n\n${link}\n`);
  await send({ SMTP_URL: url }, { text: `“José”\n\n${link}\n` });
  expect(mails[1]?.mail.text).toBe(`“José”\n\n${link}\n`);
  expect(mails[1]?.raw.split('text/html')[0]).not.toContain('=3D');
});

it('does not let a subject add a header', async () => {
  const { url, mails } = await sink();
  await send({ SMTP_URL: url }, { subject: 'Hello\r\nBcc: joe@example.org\r\n\r\nbody' });
  expect(mails[0]?.to).toEqual(['jane@example.org']);
  expect(mails[0]?.mail.headers.has('bcc')).toBe(false);
});

it.each([
  // [the option of the server, what its responses mean, where it gives them, the responses]
  ['refuseSender', 'held', 'MAIL FROM', ['553 5.7.1', '530 5.7.0', '550 5.1.1']],
  ['refuseSender', 'deferred', 'MAIL FROM', ['451 4.7.1']],
  ['refuseRecipient', 'held', 'RCPT TO', ['550 5.4.5', '554 5.7.1', '550 5.1.8', '550 5.1.0', 550]],
  ['refuseRecipient', 'refused', 'RCPT TO', ['550 5.1.1', '556 5.1.10', '552 5.2.2']],
  ['refuseRecipient', 'deferred', 'RCPT TO', ['450 4.2.1']],
  ['refuseMessage', 'held', 'DOT', ['554 5.7.1', '552 5.3.4']],
  ['refuseMessage', 'refused', 'DOT', ['550 5.1.1']],
  ['refuseMessage', 'deferred', 'DOT', ['421 4.3.2']],
] as const)('with %s takes as %s, at %s: %j', async (option, kind, stage, refusals) => {
  for (const refusal of refusals) {
    const { url, mails } = await sink({ [option]: () => refusal });
    const failure = { stage, code: String(refusal), words: `${refusal} The test says no.` };
    expect(await send({ SMTP_URL: url })).toEqual({ kind, failure, handedOver: stage === 'DOT' });
    expect(mails).toEqual([]);
  }
});

it('delivers to a server that takes its time at every stage', async () => {
  const limits = { GREETING: 2000, EHLO: 2000, 'MAIL FROM': 2000, 'RCPT TO': 2000, DATA: 2000, DOT: 2000 };
  expect(await send(await slowServer({ pauseMs: 300 }), {}, limits)).toEqual({ kind: 'accepted' });
});

it.each([
  ['GREETING', 'GREETING', 'unreachable'],
  ['EHLO', 'EHLO', 'deferred'],
  ['MAIL', 'MAIL FROM', 'deferred'],
  ['RCPT', 'RCPT TO', 'deferred'],
  ['DATA', 'DATA', 'deferred'],
  ['DOT', 'DOT', 'unknown'],
] as const)('waits for the response to %s as long as its limit says', async (silentAt, stage, kind) => {
  const outcome = await send(await slowServer({ silentAt }), {}, { [stage]: 150 });
  expect(outcome).toMatchObject({ kind, failure: { stage, words: 'No response within 0.15 s' } });
});

it('composes no mail before the server has sent its greeting', async () => {
  const { SMTP_URL } = await slowServer({ silentAt: 'GREETING' });
  const config = readConfig({ MAIL_FROM: 'a@example.org', SMTP_URL }, mailVariables);
  let composed = 0;
  const transport = createSmtpTransport(config, undefined, { ...stageLimitsMs, GREETING: 150 });
  await transport.send(async () => {
    composed++;
    return message;
  });
  expect(composed).toBe(0);
});

it('notices a connection that breaks while the mail is composed', async () => {
  const sockets: Socket[] = [];
  const SMTP_URL = await serving((socket) => {
    sockets.push(socket);
    socket.write('220 hello\r\n');
  });
  const config = readConfig({ MAIL_FROM: 'a@example.org', SMTP_URL }, mailVariables);
  const outcome = await createSmtpTransport(config).send(async () => {
    const [socket] = sockets;
    const closed = socket && once(socket.resetAndDestroy(), 'close');
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    return message;
  });
  expect(outcome).toMatchObject({ kind: 'unreachable', failure: { stage: 'GREETING' } });
});

it('reports that no server listens', async () => {
  const { port, close } = await startSmtpSink();
  await close();
  expect(await send({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject({ kind: 'unreachable' });
});

it.each([
  ['first part of the text', 'deferred', () => true],
  ['final dot', 'unknown', (text: string) => text.endsWith('\r\n.\r\n')],
] as const)('knows what it means when the connection breaks after the %s: %s', async (_, kind, breaksAt) => {
  const SMTP_URL = await serving((socket) => {
    socket.write('220 hello\r\n');
    let text: string | undefined;
    socket.on('data', (bytes) => {
      if (text !== undefined) {
        text += bytes.toString();
        if (breaksAt(text)) socket.destroy();
        return;
      }
      if (bytes.toString().startsWith('DATA')) text = '';
      socket.write(text === '' ? '354 go on\r\n' : '250 fine\r\n');
    });
  });
  // The text is too long to arrive at once.
  const text = `${'word '.repeat(100)}\n`.repeat(20_000);
  expect(await send({ SMTP_URL }, { text })).toMatchObject({ kind });
});

it('logs in over STARTTLS if the configured authority signed the certificate', async () => {
  const authority = createTestAuthority();
  const login = { user: 'us@example.org', password: 'p@ss/word' };
  const { port, mails } = await sink({ tls: authority.issue('localhost'), login });
  const url = (password: string) => `smtp://us%40example.org:${encodeURIComponent(password)}@localhost:${port}`;
  expect(await send({ SMTP_URL: url(login.password), SMTP_TLS_CA: authority.ca })).toEqual({ kind: 'accepted' });
  expect(mails).toHaveLength(1);
  const failure = { stage: 'AUTH', code: '535', words: '535 The test says no.' };
  expect(await send({ SMTP_URL: url('wrong'), SMTP_TLS_CA: authority.ca })).toMatchObject({ kind: 'held', failure });
});

it('sends nothing in plaintext beyond loopback', async () => {
  const { port, mails } = await sink();
  // This address reaches the same machine, but it is not a loopback address.
  const SMTP_URL = `smtp://0.0.0.0:${port}`;
  const refused = await send({ SMTP_URL });
  expect(refused).toMatchObject({ kind: 'held', failure: { stage: 'STARTTLS' } });
  expect(mails).toEqual([]);
  expect(await send({ SMTP_URL, SMTP_PLAINTEXT: 'true' })).toEqual({ kind: 'accepted' });
});

it('reports wrong variables', () => {
  const faults = (env: Record<string, string>) =>
    mailFaults(readConfig(env, { ...mailVariables, ...publicUrlVariables }));
  expect(faults({})).toEqual([]);
  expect(faults({ SMTP_URL: 'smtps://u:p@mail.example.org' })).toEqual([]);
  expect(faults({ SMTP_URL: 'smtp://u@mail.example.org' })).toHaveLength(1);
  expect(faults({ SMTP_URL: 'smtp://mail.example.org?requireTLS=false' })).toHaveLength(1);
  for (const MAIL_FROM of ['nobody', 'Acme <no-reply@acme>', 'a@notlocalhost'])
    expect(faults({ MAIL_FROM })).toEqual([
      `MAIL_FROM is "${MAIL_FROM}"; expected an address like no-reply@example.org, or a name and an <address>`,
    ]);
  const { ca } = createTestAuthority();
  expect(faults({ MAIL_FROM: 'knowledge@localhost', SMTP_TLS_CA: ca + ca })).toEqual([]);
  for (const SMTP_TLS_CA of ['/etc/ca.pem', ca.replace(/\w{40}/, '')])
    expect(() => faults({ SMTP_TLS_CA })).toThrow(
      'SMTP_TLS_CA has a value that cannot be used; expected PEM certificates',
    );
  const PUBLIC_URL_IO = 'https://io.example.org';
  expect(faults({ PUBLIC_URL_IO })).toEqual([expect.stringContaining('MAIL_FROM is missing')]);
  expect(faults({ PUBLIC_URL_IO, MAIL_FROM: 'a@localhost' })).toHaveLength(1);
  expect(faults({ PUBLIC_URL_IO, MAIL_FROM: 'knowledge@example.org' })).toEqual([]);
});
