import { type Config, isLoopback, openPublicUrl, type publicUrlVariables } from '../config/read-config.js';
import { authorities, flag, string, url } from '../config/variable.js';
import { parseSender } from '../text/address.js';

/** The variables of every process that sends mail. Check them with `mailFaults`. */
export const mailVariables = {
  SMTP_URL: url({
    schemes: ['smtp', 'smtps'],
    secret: true,
    default: 'smtp://127.0.0.1:1025',
    description: 'the mail server: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465',
  }),
  SMTP_PLAINTEXT: flag({ default: false, description: 'send without TLS beyond loopback' }),
  SMTP_TLS_CA: authorities('of the mail server'),
  MAIL_FROM: string({
    default: 'Community Knowledge Service <no-reply@knowledge.localhost>',
    description: 'who the mails come from',
  }),
};

/** Faults in the mail variables that their types do not find. `readConfig` calls it as a check. */
export function mailFaults(config: Config<typeof mailVariables & typeof publicUrlVariables>): string[] {
  const faults: string[] = [];
  if (parseSmtpUrl(config.SMTP_URL) === undefined) {
    faults.push(
      'SMTP_URL is not a valid address of a mail server; expected smtp:// or smtps:// with user and password (or none), host and port',
    );
  }
  const open = openPublicUrl(config);
  if (open !== undefined && /[@.]localhost>?$/i.test(config.MAIL_FROM)) {
    faults.push(
      `MAIL_FROM is missing; people who reach ${open} get mails, which no server takes from ${config.MAIL_FROM}`,
    );
  }
  if (parseSender(config.MAIL_FROM) === undefined) {
    const expected = 'expected an address like no-reply@example.org, or a name and an <address>';
    faults.push(`MAIL_FROM is ${JSON.stringify(config.MAIL_FROM)}; ${expected}`);
  }
  return faults;
}

/** The address of a mail server and the log-in for it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** Whether the connection starts with TLS. */
  secure: boolean;
  credentials: { user: string; pass: string } | undefined;
  loopback: boolean;
}

/** Reads `SMTP_URL`. Returns undefined if the URL has a part that SMTP does not use, such as a path. */
export function parseSmtpUrl(input: string): SmtpServer | undefined {
  if (!URL.canParse(input)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(input);
  const secure = protocol === 'smtps:';
  if ((!secure && protocol !== 'smtp:') || hostname === '') return undefined;
  if ((pathname !== '' && pathname !== '/') || search !== '' || hash !== '') return undefined;
  if ((username === '') !== (password === '')) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    return {
      host,
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      credentials:
        username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      loopback: isLoopback(host),
    };
  } catch {
    return undefined;
  }
}
