import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { MailStore } from './store.js';

const LARGEST_MAIL = 10 * 1024 * 1024;

/**
 * A mail server that takes every mail for everybody, with any log-in or none. A mail is acknowledged only after
 * it is in its file. It offers no TLS: there is no certificate that a client would believe, and it is on loopback.
 */
export function createSmtpServer(store: MailStore, onError: (error: Error) => void): SMTPServer {
  const server = new SMTPServer({
    banner: 'local mailbox',
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    size: LARGEST_MAIL,
    closeTimeout: 2_000,
    logger: false,
    onAuth: (auth, _session, answer) => answer(null, { user: auth.username ?? 'anyone' }),
    onData: (stream, session, answer) => {
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((recipient) => recipient.address) };
      receive(stream)
        .then(async (mail) => {
          if (stream.sizeExceeded) throw tooLarge();
          answer(null, `kept as ${await store.add(envelope, mail)}`);
        })
        .catch((error: Error) => answer(error));
    },
  });
  // A client that goes away in the middle is no concern of ours, and must not end the process.
  server.on('error', onError);
  return server;
}

async function receive(stream: NodeJS.ReadableStream): Promise<Buffer> {
  return buffer(stream as AsyncIterable<Buffer>);
}

function tooLarge(): Error {
  return Object.assign(new Error(`The mail is larger than ${LARGEST_MAIL} bytes.`), { responseCode: 552 });
}
