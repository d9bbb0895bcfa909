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
      loopback: host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host),
    };
  } catch {
    return undefined;
  }
}
