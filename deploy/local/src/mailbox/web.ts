import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Message } from './message.js';
import { htmlPart, listPage, messagePage, notFoundPage, STYLE } from './page.js';
import type { MailStore } from './store.js';

const PAGE_POLICY = "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";
// The HTML part of a mail: its own styles and embedded pictures, nothing from outside, no script.
const PART_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const PAGE_SIZE = 100;

/** The mailbox as pages for people and as JSON for programs. */
export function createMailboxWeb(store: MailStore): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });

  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    // Mails hold secret links: a web site that points its name at this machine must not read them.
    const name = request.hostname.replace(/^\[|\]$/g, '');
    if (!['localhost', '127.0.0.1', '::1'].includes(name)) {
      return reply.code(421).send({ error: 'This mailbox answers to localhost only.' });
    }
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (request.method !== 'GET' && site !== 'same-origin' && site !== 'none') {
      return reply.code(403).send({ error: 'Another site may not change this mailbox.' });
    }
  });

  app.get('/style.css', (_request, reply) => reply.type('text/css').send(STYLE));

  app.get<{ Querystring: { before?: string } }>('/', async (request, reply) => {
    const all = await store.ids();
    const { before } = request.query;
    const ids = before === undefined ? all : all.filter((id) => id < before);
    const shown = ids.slice(0, PAGE_SIZE);
    const last = shown.at(-1);
    const older = ids.length > shown.length && last !== undefined ? `/?before=${last}` : undefined;
    return sendPage(reply, listPage(await load(store, shown), all.length, older));
  });

  app.get<{ Params: { id: string } }>('/messages/:id', async (request, reply) => {
    const message = await store.message(request.params.id);
    return message === undefined ? sendPage(reply.code(404), notFoundPage()) : sendPage(reply, messagePage(message));
  });

  app.get<{ Params: { id: string } }>('/messages/:id/html', async (request, reply) => {
    const html = (await store.message(request.params.id))?.html;
    if (html === undefined || html === null) return sendPage(reply.code(404), notFoundPage());
    return reply.header('content-security-policy', PART_POLICY).type('text/html').send(htmlPart(html));
  });

  app.get<{ Params: { id: string } }>('/messages/:id.eml', async (request, reply) => {
    const raw = await store.raw(request.params.id);
    if (raw === undefined) return sendPage(reply.code(404), notFoundPage());
    const disposition = `attachment; filename="${request.params.id}.eml"`;
    return reply.header('content-disposition', disposition).type('message/rfc822').send(raw);
  });

  app.post('/delete-all', async (_request, reply) => {
    await store.clear();
    return reply.redirect('/', 303);
  });

  app.get<{ Querystring: { to?: string } }>('/api/messages', async (request) => {
    const { to } = request.query;
    const messages = await load(store, await store.ids());
    return { messages: to === undefined ? messages : messages.filter((message) => isTo(message, to)) };
  });

  app.get<{ Params: { id: string } }>('/api/messages/:id', async (request, reply) => {
    const message = await store.message(request.params.id);
    return message ?? reply.code(404).send({ error: 'There is no such mail.' });
  });

  app.delete('/api/messages', async () => ({ deleted: await store.clear() }));

  return app;
}

/** Those that were deleted in between are left out. */
async function load(store: MailStore, ids: readonly string[]): Promise<Message[]> {
  const messages = await Promise.all(ids.map((id) => store.message(id)));
  return messages.filter((message) => message !== undefined);
}

function isTo(message: Message, address: string): boolean {
  return message.to.some((each) => each.toLowerCase() === address.toLowerCase());
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(html);
}
