import { createTransport } from 'nodemailer';
import type { Config } from '../config/read-config.js';
import { deadlineIn, deadlineSignal } from '../deadline.js';
import { isSingleAddress, parseSender, type Sender } from '../text/address.js';
import type { MailMessage, MailTransport, SendOutcome } from './message.js';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.js';
import type { mailVariables } from './variables.js';

export type MailConfig = Config<typeof mailVariables>;

/** The time limit for sending one mail. It is far shorter than a claim (SECURITY.md#mail). */
const sendLimitMs = 30_000;

/**
 * Sends mails over SMTP, with one connection per mail. TLS is required unless the server is on loopback or
 * `SMTP_PLAINTEXT` is set. In these two cases TLS is optional, and its certificate is not verified. `replyTo` is a
 * mailbox that a person reads.
 */
export function createSmtpTransport(config: MailConfig, replyTo?: string): MailTransport {
  const server = parseSmtpUrl(config.SMTP_URL);
  const sender = parseSender(config.MAIL_FROM);
  if (server === undefined || sender === undefined) throw new TypeError('The mail configuration was not checked.');
  const mailer = createTransport(connectionOptions(server, config));
  return {
    send: async (message, signal) => {
      if (!isSingleAddress(message.to) || !/^[A-Za-z0-9._-]{1,128}$/.test(message.id)) {
        return { kind: 'refused', responseCode: undefined };
      }
      const limit = deadlineSignal(deadlineIn(sendLimitMs), signal);
      try {
        await mailer.sendMail({ ...envelopeOf(message, sender, replyTo), signal: limit.signal });
        return { kind: 'accepted' };
      } catch (error) {
        return classify(error);
      } finally {
        limit.clear();
      }
    },
    close: () => mailer.close(),
  };
}

function connectionOptions({ host, port, secure, credentials, loopback }: SmtpServer, config: MailConfig) {
  const plaintext = loopback || config.SMTP_PLAINTEXT;
  return {
    host,
    port,
    secure,
    requireTLS: !plaintext && !secure,
    ...(credentials && { auth: credentials }),
    tls: {
      minVersion: 'TLSv1.2' as const,
      rejectUnauthorized: !plaintext || secure,
      ...(config.SMTP_TLS_CA === undefined ? {} : { ca: config.SMTP_TLS_CA }),
    },
    dnsTimeout: 5000,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

// Addresses are passed as objects, so nodemailer parses no text that could add a second recipient.
function envelopeOf({ to, id, subject, text, html }: MailMessage, sender: Sender, replyTo: string | undefined) {
  return {
    envelope: { from: sender.address, to: [to] },
    from: { name: sender.name, address: sender.address },
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject: subject.replace(/\s+/g, ' '),
    text,
    html,
    messageId: `<${id}@${sender.address.slice(sender.address.indexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface SmtpError {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  permanent?: unknown;
  syscall?: unknown;
  timeoutType?: unknown;
}

// Only a refusal of this recipient or message is final. The operator can repair a refused log-in or greeting.
function classify(thrown: unknown): SendOutcome {
  const error = (thrown ?? {}) as SmtpError;
  const { code, command, responseCode, permanent, timeoutType } = error;
  const words = [code, command, timeoutType].filter((each) => typeof each === 'string');
  const reason = words.length === 0 ? 'unknown' : words.join(' ');
  if (typeof responseCode !== 'number') return { kind: wasBeforeHandOver(error) ? 'unreachable' : 'unknown', reason };
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return { kind: 'unreachable', reason: `${reason} ${responseCode}` };
  if (permanent === true) return { kind: 'refused', responseCode };
  return { kind: 'deferred', responseCode, handedOver: code === 'EMESSAGE' };
}

// Whether the connection failed before the mail was sent. After that the mail server may have accepted the mail.
function wasBeforeHandOver({ code, syscall, timeoutType }: SmtpError): boolean {
  if (code === 'EDNS' || code === 'EAUTH' || code === 'ETLS' || syscall === 'connect') return true;
  return timeoutType === 'CONNECT_TIMEOUT' || timeoutType === 'GREETING_TIMEOUT' || timeoutType === 'UPGRADE_TIMEOUT';
}
