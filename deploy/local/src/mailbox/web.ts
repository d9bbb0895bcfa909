import fastify, { type FastifyInstance } from 'fastify';
import { mailboxPage, mailboxStyle, mailHtmlPage } from './page.js';
import type { MailStore } from './store.js';

const pagePolicy = "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";
// The HTML part of a mail may use its own styles and embedded pictures, no scripts and nothing external.
const htmlPartPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Serves the mailbox as a page for people and as JSON for programs. */
export function createMailboxWeb(store: MailStore): FastifyInstance {
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
