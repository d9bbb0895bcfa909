import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/read-config.js';
import { isSingleAddress, parseSender, type Sender } from '../text/address.js';
import {
  isAboutRecipient,
  type MailFailure,
  type MailMessage,
  type MailTransport,
  type SendOutcome,
  type SmtpStage,
  stageLimitsMs,
  statusOf,
} from './outbox.js';
import { withoutControlCharacters } from './render.js';
import { type mailVariables, parseSmtpUrl, type SmtpServer } from './variables.js';

export type MailConfig = Config<typeof mailVariables>;

/**
 * Sends mails over SMTP, with one connection per mail. TLS is required unless the server is on loopback or
 * `SMTP_PLAINTEXT` is set. In these two cases TLS is optional, and its certificate is not verified. `replyTo` is a
 * mailbox that a person reads.
 */
export function createSmtpTransport(config: MailConfig, replyTo?: string, limitsMs = stageLimitsMs): MailTransport {
  const server = parseSmtpUrl(config.SMTP_URL);
  const sender = parseSender(config.MAIL_FROM);
  if (server === undefined || sender === undefined) throw new TypeError('The mail configuration was not checked.');
  const plaintext = server.loopback || config.SMTP_PLAINTEXT;
  const tls: ConnectionOptions = {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !plaintext || server.secure,
    ...(config.SMTP_TLS_CA === undefined ? {} : { ca: config.SMTP_TLS_CA }),
  };
  return {
    send: async (compose, { signal, onHandOver } = {}) => {
      const attempt = watchStages(limitsMs, onHandOver, signal);
      let socket: Socket | undefined;
      let composing = false;
      try {
        socket = await greeted(server, tls, attempt);
        composing = true;
        const message = await compose();
        composing = false;
        if (message === undefined) return { kind: 'cancelled' };
        if (!isSingleAddress(message.to) || !/^[A-Za-z0-9._-]{1,128}$/.test(message.id)) return notAnAddress;
        const { host, port, secure, credentials } = server;
        const mailer = createTransport({
          host,
          port,
          connection: socket,
          secured: secure,
          tls,
          requireTLS: !plaintext && !secure,
          ...(credentials && { auth: credentials }),
          logger: attempt.logger,
          transactionLog: true,
          disableFileAccess: true,
          disableUrlAccess: true,
          // The stages have limits of their own; these only must not end one earlier.
          connectionTimeout: maxMs,
          greetingTimeout: maxMs,
          socketTimeout: maxMs,
        });
        await mailer.sendMail({ ...envelopeOf(message, sender, replyTo), signal: attempt.signal });
        return { kind: 'accepted' };
      } catch (error) {
        if (composing) throw error;
        return outcomeOf(error as SmtpError, attempt);
      } finally {
        attempt.end();
        socket?.destroy();
      }
    },
  };
}

const maxMs = 2 ** 31 - 1;
const notAnAddress: SendOutcome = {
  kind: 'refused',
  handedOver: false,
  failure: { stage: 'RCPT TO', code: '', words: 'This is not exactly one plain address.' },
};

type Attempt = ReturnType<typeof watchStages>;

/** Follows the stages of a delivery by what nodemailer logs, and aborts it when a stage takes too long. */
function watchStages(limitsMs: typeof stageLimitsMs, onHandOver?: () => void, parent?: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort(parent?.reason);
  if (parent?.aborted) abort();
  parent?.addEventListener('abort', abort, { once: true });
  // With pipelining several commands wait for their responses.
  let unanswered: SmtpStage[] = ['CONNECT'];
  let handedOver = false;
  let timer: NodeJS.Timeout | undefined;
  const stage = () => unanswered[0] ?? 'TEXT';
  const wait = (stages: SmtpStage[]) => {
    if (timer === undefined || stages[0] !== unanswered[0]) {
      clearTimeout(timer);
      const limitMs = limitsMs[stages[0] ?? 'TEXT'];
      timer = setTimeout(() => controller.abort(new Error(`No response within ${limitMs / 1000} s`)), limitMs);
    }
    unanswered = stages;
  };
  wait(unanswered);
  const log = ({ tnx }: { tnx?: string }, words: string) => {
    // STARTTLS lasts until the next command, since the handshake belongs to it.
    const [first, ...others] = unanswered;
    if (tnx === 'server' && first !== 'STARTTLS') wait(others);
    if (tnx === 'client') wait([...(first === 'STARTTLS' ? [] : unanswered), stageOf(words)]);
    if (tnx !== 'message') return;
    handedOver = true;
    wait(['DOT']);
    onHandOver?.();
  };
  return {
    signal: controller.signal,
    stage,
    /** Whether the final dot has left, so that the server may have taken the mail. */
    isHandedOver: () => handedOver,
    connected: () => wait(['GREETING']),
    /** A connection that broke while nodemailer did not listen would end no stage. Its own error comes first. */
    closed: () => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new Error('The connection ended')), 500).unref();
    },
    logger: { level: () => undefined, trace: log, debug: log, info: log, warn: log, error: log, fatal: log },
    end: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abort);
    },
  };
}

// What is no known command is a line of a log-in.
function stageOf(command: string) {
  const name = /^(?:EHLO|STARTTLS|MAIL FROM|RCPT TO|DATA)\b/.exec(command)?.[0];
  if (name !== undefined) return name as SmtpStage;
  return command.startsWith('HELO') ? 'EHLO' : 'AUTH';
}

/**
 * Connects and waits for the greeting. Only then is a mail composed, since each attempt makes a link of its own: while
 * the server is away, none may push out the links of earlier mails.
 */
async function greeted({ host, port, secure }: SmtpServer, tls: ConnectionOptions, attempt: Attempt): Promise<Socket> {
  const { signal } = attempt;
  // Each address of a host gets a part of the time.
  const to = { host, port, autoSelectFamilyAttemptTimeout: 5000 };
  const socket = secure ? connectTls({ ...to, ...tls, ...(isIP(host) === 0 && { servername: host }) }) : connectTcp(to);
  const giveUp = (): unknown => socket.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  socket.on('error', () => undefined);
  socket.once('close', attempt.closed);
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal });
    attempt.connected();
    // A connection that ends becomes readable too.
    await once(socket, 'readable', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

// Addresses are passed as objects, so nodemailer parses no text that could add a second recipient.
function envelopeOf({ to, id, subject, text, html }: MailMessage, sender: Sender, replyTo: string | undefined) {
  return {
    envelope: { from: sender.address, to: [to] },
    from: { name: sender.name, address: sender.address },
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject: subject.replace(/\s+/g, ' '),
    text: asTextPart(text),
    html,
    messageId: `<${id}@${sender.address.slice(sender.address.indexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  cause?: unknown;
}

/** Decides what an error means. Only a refusal of this recipient is final; an operator can repair the rest. */
function outcomeOf(error: SmtpError, attempt: Attempt): SendOutcome {
  const handedOver = attempt.isHandedOver();
  const status = error.response === undefined ? undefined : statusOf(error.response);
  if (status === undefined) {
    const stage = attempt.stage();
    const { message } = attempt.signal.aborted ? (attempt.signal.reason as Error) : error;
    const failure = failureOf(stage, error.code ?? '', message);
    if (handedOver) return { kind: 'unknown', failure, handedOver };
    if (stage === 'CONNECT' || stage === 'GREETING') return { kind: 'unreachable', failure, handedOver };
    // Without a response, faults of TLS and of the log-in are those of the configuration.
    const ours = stage === 'STARTTLS' || error.code === 'ETLS' || error.code === 'EAUTH';
    return { kind: ours ? 'held' : 'deferred', failure, handedOver };
  }
  const { basic, enhanced } = status;
  const stage = error.code === 'EMESSAGE' ? 'DOT' : stageOfError(error.command ?? '');
  const failure = failureOf(stage, `${basic} ${enhanced}`.trim(), error.response ?? '');
  if (!basic.startsWith('5')) return { kind: 'deferred', failure, handedOver };
  return { kind: isAboutRecipient(stage, enhanced) ? 'refused' : 'held', failure, handedOver };
}

function stageOfError(command: string) {
  return command === 'CONN' ? 'GREETING' : stageOf(command);
}

function failureOf(stage: SmtpStage, code: string, words: string): MailFailure {
  const line = withoutControlCharacters(words.slice(0, 2000)).replace(/\s+/g, ' ');
  return { stage, code, words: line.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)').slice(0, 300) };
}

/**
 * Encodes the plain text so that a link stays whole. Text that ASCII can say is sent as it is, other text in base64.
 * Quoted-printable would break long links and write `=3D` into them, and some readers decode nothing.
 */
function asTextPart(text: string) {
  const plain = text.replace(/[“”„‘’…–—]/g, (each) => asciiFor[each] ?? each);
  const sevenBit = /^[\t\n\x20-\x7e]*$/.test(plain) && plain.split('\n').every((line) => line.length <= 998);
  const [encoding, body] = sevenBit
    ? ['7bit', plain.replaceAll('\n', '\r\n')]
    : ['base64', Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')];
  return {
    raw: `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`,
  };
}

const asciiFor: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '…': '...',
  '–': '-',
  '—': '-',
};
