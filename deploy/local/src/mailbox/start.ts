import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger, escapeHtml, joinAddress, listenAt, type RunningProcess } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { linkInText, type MailStore, openMailStore, type ReceivedMail } from './store.js';

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
  const close = async () => {
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
function createSmtpServer(store: MailStore) {
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
      receive(stream)
        .then(async (mail) => answer(null, `kept as ${await store.add(envelope, mail)}`))
        .catch((error: Error) => answer(error));
    },
  });
}

async function receive(stream: SMTPServerDataStream) {
  const chunks: Buffer[] = [];
  // A mail that is too large is read to its end, since its sender reads the answer only then.
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk);
  if (!stream.sizeExceeded) return Buffer.concat(chunks);
  throw Object.assign(new Error(`The mail is larger than ${largestMailBytes} bytes.`), { responseCode: 552 });
}

const pagePolicy = "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";
// The HTML part of a mail may use its own styles and embedded pictures, no scripts and nothing external.
const htmlPartPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Serves the mailbox as a page for people and as JSON for programs. */
function createMailboxWeb(store: MailStore): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  const noSuchMail = { error: 'There is no such mail.' };

  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': pagePolicy,
    });
    // Mails contain secret links, so a foreign site whose name resolves to this machine must not read them.
    const name = request.hostname.replace(/^\[|\]$/g, '');
    if (!['localhost', '127.0.0.1', '::1'].includes(name)) {
      return reply.code(421).send({ error: 'This mailbox answers to localhost only.' });
    }
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (request.method !== 'GET' && site !== 'same-origin' && site !== 'none') {
      return reply.code(403).send({ error: 'Another site may not change this mailbox.' });
    }
  });

  app.get('/style.css', (_request, reply) => reply.type('text/css').send(mailboxStyle));
  app.get('/', async (_request, reply) => reply.type('text/html').send(mailboxPage(await store.messages())));

  app.get<{ Params: { id: string } }>('/messages/:id/html', async (request, reply) => {
    const html = (await store.message(request.params.id))?.html;
    if (html === undefined || html === null) return reply.code(404).send(noSuchMail);
    return reply.header('content-security-policy', htmlPartPolicy).type('text/html').send(mailHtmlPage(html));
  });

  app.get<{ Params: { id: string } }>('/messages/:id.eml', async (request, reply) => {
    const raw = await store.raw(request.params.id);
    if (raw === undefined) return reply.code(404).send(noSuchMail);
    const disposition = `attachment; filename="${request.params.id}.eml"`;
    return reply.header('content-disposition', disposition).type('message/rfc822').send(raw);
  });

  app.post('/delete-all', async (_request, reply) => {
    await store.clear();
    return reply.redirect('/', 303);
  });

  app.get<{ Querystring: { to?: string } }>('/api/messages', async (request) => {
    const wanted = request.query.to?.toLowerCase();
    const messages = await store.messages();
    return {
      messages: messages.filter(({ to }) => wanted === undefined || to.some((each) => each.toLowerCase() === wanted)),
    };
  });

  app.get<{ Params: { id: string } }>('/api/messages/:id', async (request, reply) => {
    return (await store.message(request.params.id)) ?? reply.code(404).send(noSuchMail);
  });

  app.delete('/api/messages', async () => ({ deleted: await store.clear() }));

  return app;
}

/** The page with all mails, newest first. Each mail opens in place, rendered as in a mail program. */
function mailboxPage(messages: readonly ReceivedMail[]) {
  const total = messages.length;
  const empty = `<p class="meta">No mail yet. Everything that the local services send arrives here; nothing leaves this
machine.</p>`;
  const clear = total > 0 ? '<form method="post" action="/delete-all"><button>Delete all</button></form>' : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local mailbox</title><link rel="stylesheet" href="/style.css"></head>
<body><header><h1>Local mailbox</h1><p class="meta">${total} ${total === 1 ? 'mail' : 'mails'}, newest first</p>
<a href="/">Look again</a> ${clear}</header>
<main>${total > 0 ? messages.map(mail).join('\n') : empty}</main></body></html>
`;
}

/** The HTML part of a mail as a page for the frame. Its links open in a new tab. */
function mailHtmlPage(html: string) {
  return `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`;
}

function mail({ id, from, to, subject, date, text, html, headers, attachments }: ReceivedMail) {
  const time = `<time datetime="${date}">${date.slice(0, 19).replace('T', ' ')} UTC</time>`;
  const rows = Object.entries(headers).map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const files = attachments.map(
    ({ name, type, bytes }) => `<li>${escapeHtml(`${name} (${type}, ${bytes} bytes)`)}</li>`,
  );
  return `<details id="${id}"><summary><b>${escapeHtml(subject || '(no subject)')}</b><br>
<span class="meta">From ${escapeHtml(from)} to ${escapeHtml(to.join(', '))}, ${time}</span></summary>
${html === null ? '' : frame(id)}
${text === null ? '' : `<pre>${linkify(text)}</pre>`}
${files.length > 0 ? `<h2>Attachments</h2><ul>${files.join('')}</ul>` : ''}
<details><summary>Headers</summary><table>${rows.join('\n')}</table></details>
<p class="meta"><a href="/messages/${id}.eml" download>Download as .eml</a> · <a href="/api/messages/${id}">As JSON</a></p>
</details>`;
}

// The frame may only open links in a new window: no scripts, no forms, no origin of its own.
function frame(id: string) {
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  return `<iframe src="/messages/${id}/html" sandbox="${sandbox}" loading="lazy" title="The mail"></iframe>`;
}

function linkify(text: string) {
  // Every second part is a link.
  const parts = text.split(new RegExp(`(${linkInText.source})`)).map(escapeHtml);
  return parts.map((part, at) => (at % 2 === 0 ? part : `<a href="${part}" rel="noreferrer">${part}</a>`)).join('');
}

const mailboxStyle = `
:root { color-scheme: light dark; --quiet: light-dark(#5c6067, #a3a7ae); --line: light-dark(#e0dbd1, #383b41);
  --go: light-dark(#1a5a45, #86cbae); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 2rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1rem; } form { display: inline; }
a { color: var(--go); } :focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
.meta { color: var(--quiet); font-size: .875rem; } summary { cursor: pointer; }
main > details { border-top: 1px solid var(--line); padding: .75rem 0; } header { margin-bottom: 1.5rem; }
iframe { width: 100%; height: 60rem; border: 1px solid var(--line); border-radius: 12px; }
pre { white-space: pre-wrap; font-size: .875rem; } td { white-space: pre-wrap; } th { text-align: left; vertical-align: top; }
`;
