import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

/** A real SMTP server that stores all mails. */
export interface MailSink {
  readonly url: string;
  readonly mails: ParsedMail[];
  /** While it is set, the server refuses the sender of each mail with this code and these words. */
  refusal?: { responseCode: number; words: string } | undefined;
  /** Waits for a mail for which the condition is true. */
  mailWhere(condition: (mail: ParsedMail) => boolean): Promise<ParsedMail>;
  close(): Promise<void>;
}

export async function startMailSink(port = 0): Promise<MailSink> {
  const mails: ParsedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onMailFrom: (_sender, _session, done) =>
      done(sink.refusal === undefined ? null : Object.assign(new Error(sink.refusal.words), sink.refusal)),
    onData(stream, _session, done) {
      simpleParser(stream).then(
        (mail) => {
          mails.push(mail);
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: bound } = server.server.address() as AddressInfo;
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${bound}`,
    mails,
    mailWhere: (condition) => until('a mail', () => mails.find(condition)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
}
