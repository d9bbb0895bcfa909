import { createLogger, type Running } from '@knowledge/runtime';
import { createSmtpServer } from './smtp.js';
import { openMailStore } from './store.js';
import { createMailboxWeb } from './web.js';

export interface MailboxOptions {
  /** Where the mails are kept. */
  readonly dir: string;
  readonly smtp: Listen;
  readonly http: Listen;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

interface Listen {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface Mailbox extends Running {
  /** For `SMTP_URL`. */
  readonly smtpUrl: string;
}

/** Starts the SMTP server and the page over one directory. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const log = createLogger({ name: 'mailbox', level: options.logLevel ?? 'info' });
  const store = await openMailStore(options.dir);
  const smtp = createSmtpServer(store, (error) => log.warn({ err: error }, 'a mail was not taken'));
  const web = createMailboxWeb(store);
  const closeSmtp = (): Promise<void> => new Promise((resolve) => smtp.close(() => resolve()));
  const smtpPort = await new Promise<number>((resolve, reject) => {
    smtp.server.once('error', reject);
    smtp.listen(options.smtp.port, options.smtp.host, () => resolve(portOf(smtp.server.address())));
  });
  try {
    await web.listen(options.http);
  } catch (error) {
    await closeSmtp();
    throw error;
  }
  const port = portOf(web.server.address());
  return {
    address: `http://${options.http.host}:${port}`,
    smtpUrl: `smtp://${options.smtp.host}:${smtpPort}`,
    log,
    close: async () => {
      await web.close();
      await closeSmtp();
    },
  };
}

function portOf(address: string | { port: number } | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
