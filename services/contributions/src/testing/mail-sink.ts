import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server that stores its mails for the test. */
export interface MailSink {
  readonly url: string;
  readonly mails: { to: string[]; mail: ParsedMail }[];
  close(): Promise<void>;
}

/**
 * Starts an SMTP server on loopback. `refuse` returns the SMTP code with which to refuse an attempt; undefined accepts
 * it.
 */
export async function startMailSink(
  refuse: (attempt: number) => number | undefined = () => undefined,
): Promise<MailSink> {
  const mails: MailSink['mails'] = [];
  let attempts = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const code = refuse(++attempts);
      simpleParser(stream).then(
        (mail) => {
          if (code === undefined) mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail });
          done(code === undefined ? null : Object.assign(new Error('refused'), { responseCode: code }));
        },
        (error: Error) => done(error),
      );
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
