import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { GrpcClient } from '@knowledge/runtime/grpc';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contributionEvents } from '../../watch/sources.js';
import { findStaff, staffOf } from '../http/session.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { createNewsFeed } from './news.js';

const heartbeatMs = 15_000;
const maxListeners = 500;
/** A browser that reads this slowly loads the page again. */
const maxWaitingBytes = 64 * 1024;

/** Registers the server-sent events of the queue: one line for each change, until the session ends. */
export function registerNews(
  app: FastifyInstance,
  desk: WebDesk,
  moderation: GrpcClient<typeof ModerationServiceService>,
): void {
  const feed = createNewsFeed(
    (signal) =>
      contributionEvents(moderation, () => ({
        requestId: randomUUID(),
        actor: 'web-desk',
        roles: ['moderator'],
        signal,
      })),
    maxListeners,
  );
  const open = new Set<Readable>();
  app.addHook('preClose', async () => {
    feed.close();
    for (const each of open) each.destroy();
  });

  app.get('/queue/events', async (request, reply) => {
    if (!hasRole(staffOf(request), 'moderator'))
      throw new KnowledgeError('not_found', 'Only moderators follow the queue.');
    const events = new Readable({ read: () => undefined });
    const send = (text: string): void => {
      if (events.readableLength > maxWaitingBytes) events.destroy();
      else events.push(text);
    };
    const stop = feed.listen((news) => send(`data: ${JSON.stringify(news)}\n\n`));
    if (stop === undefined) throw new KnowledgeError('unavailable', 'Too many pages follow the queue.');
    const heartbeat = setInterval(async () => {
      if (await isSessionOpen(request, desk)) return send(':\n\n');
      send('event: bye\ndata:\n\n');
      events.push(null);
    }, heartbeatMs);
    open.add(events);
    events.on('close', () => {
      clearInterval(heartbeat);
      stop();
      open.delete(events);
    });
    events.on('error', () => undefined);
    events.push(':\n\n');
    // nginx would keep the events until its buffer is full.
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(events);
  });
}

/** Whether the session of the request is open still. An outage of identity is no end of a session. */
async function isSessionOpen(request: FastifyRequest, desk: WebDesk): Promise<boolean> {
  const call = { requestId: request.id, deadline: Date.now() + heartbeatMs / 2 };
  return findStaff(request, desk, call).then(
    (staff) => staff !== undefined,
    () => true,
  );
}
