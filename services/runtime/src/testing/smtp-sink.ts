import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificates.js';

/** A mail that a sink received. */
export interface ReceivedMail {
  /** The recipients in the SMTP envelope. */
  to: string[];
  from: string;
  raw: string;
  mail: ParsedMail;
}

/** A real SMTP server that stores all mails for the test. */
export interface SmtpSink {
  readonly url: string;
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** An SMTP code alone, or a code with an enhanced status code. */
type Refusal = number | `${number} ${string}`;

/** Options that make the server refuse mails or require TLS and a log-in. */
export interface SmtpSinkOptions {
  /** The port (default: a free one). */
  port?: number;
  /** Returns the response with which to refuse a sender, such as `553 5.7.1`; undefined accepts it. */
  refuseSender?: () => Refusal | undefined;
  /** Returns the response with which to refuse this recipient; undefined accepts it. */
  refuseRecipient?: (address: string) => Refusal | undefined | Promise<Refusal | undefined>;
  /**
   * Returns the response with which to refuse the nth message; undefined accepts it. The client waits
   * for the promise.
   */
  refuseMessage?: (attempt: number, received: ReceivedMail) => Refusal | undefined | Promise<Refusal | undefined>;
  /** The certificate for STARTTLS. Without it the server has no TLS. */
  tls?: Certificate;
  /** The log-in that clients must use. */
  login?: { user: string; password: string };
}

/** Starts an SMTP server on loopback. */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const { refuseSender, refuseRecipient, refuseMessage, tls, login } = options;
  let attempts = 0;
  const server = new SMTPServer({
    ...(tls ? { key: tls.key, cert: tls.cert } : {}),
    disabledCommands: tls ? [] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password ? done(null, { user: username }) : done(refusal(535)),
    onMailFrom: (_address, _session, done) => done(refusal(refuseSender?.())),
    onRcptTo: ({ address }, _session, done) => {
      void Promise.resolve(refuseRecipient?.(address)).then((refused) => done(refusal(refused)));
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      const take = async (): Promise<void> => {
        const bytes = Buffer.concat(chunks);
        const received = {
          to: envelope.rcptTo.map(({ address }) => address),
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          raw: bytes.toString(),
          mail: await simpleParser(bytes),
        };
        const refused = await refuseMessage?.(++attempts, received);
        if (refused === undefined) mails.push(received);
        done(refusal(refused));
      };
      stream.on('end', () => void take().catch((error: Error) => done(error)));
    },
  });
  server.on('error', () => undefined);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(refused: Refusal | undefined): Error | null {
  if (refused === undefined) return null;
  const [responseCode, ...words] = String(refused).split(' ');
  return Object.assign(new Error([...words, 'The test says no.'].join(' ')), { responseCode: Number(responseCode) });
}
