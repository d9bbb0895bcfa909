import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createLogger, joinAddress, listenAt, type RunningProcess } from '@knowledge/runtime';
import { SMTPServer } from 'smtp-server';
import { type MailStore, openMailStore } from './store.js';
import { createMailboxWeb } from './web.js';

interface MailboxOptions {
  /** The folder of the mails. */
  readonly dir: string;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly smtpPort: number;
  readonly httpPort: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

export interface Mailbox extends RunningProcess {
  /** The value that services need as `SMTP_URL`. */
  readonly smtpUrl: string;
}

const largestMailBytes = 10 * 1024 * 1024;

/** Starts an SMTP server that stores mails in a folder, and a page that shows them. */
export async function startMailbox({ dir, host, smtpPort, httpPort, logLevel }: MailboxOptions): Promise<Mailbox> {
  const log = createLogger({ name: 'mailbox', level: logLevel });
  const store = await openMailStore(dir);
  const smtp = createSmtpServer(store);
  // A client that disconnects in the middle of a mail must not end the process.
  smtp.on('error', (error) => log.warn({ err: error }, 'a mail was not taken'));
  const web = createMailboxWeb(store);
  const close = async (): Promise<void> => {
    await web.close();
    await new Promise<void>((resolve) => smtp.close(resolve));
  };
  try {
    await listenAt(joinAddress(host, smtpPort), (at, port) => once(smtp.listen(port, at), 'listening'));
    const address = await listenAt(joinAddress(host, httpPort), (at, port) => web.listen({ host: at, port }));
    const { port } = smtp.server.address() as AddressInfo;
    return { address, smtpUrl: `smtp://${joinAddress(host, port)}`, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Accepts every mail for every recipient, with any log-in or none, and acknowledges it once it is on disk.
 * It offers no TLS: no client would trust its certificate, and it listens on loopback only.
 */
function createSmtpServer(store: MailStore): SMTPServer {
  return new SMTPServer({
    banner: 'local mailbox',
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    size: largestMailBytes,
    closeTimeout: 2_000,
    logger: false,
    onAuth: (auth, _session, answer) => answer(null, { user: auth.username ?? 'anyone' }),
    onData: (stream, { envelope: { mailFrom, rcptTo } }, answer) => {
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
      buffer(stream)
        .then(async (mail) => {
          if (stream.sizeExceeded) throw tooLarge();
          answer(null, `kept as ${await store.add(envelope, mail)}`);
        })
        .catch((error: Error) => answer(error));
    },
  });
}

function tooLarge(): Error {
  return Object.assign(new Error(`The mail is larger than ${largestMailBytes} bytes.`), { responseCode: 552 });
}
