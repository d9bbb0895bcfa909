import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { GrpcClient } from '@knowledge/runtime/grpc';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isListed } from '../base/contribution-words.js';
import type { News } from '../browser/news.js';
import { findStaff, hasRole, staffOf, type WebDesk } from '../pages/index.js';
import { follow } from '../record/follow.js';
import { contributionEvents } from '../record/sources.js';

const heartbeatMs = 15_000;
/** How long an answer about the session of a page counts. */
const sessionMs = 1_000;
const maxListeners = 500;
/** A browser that reads this slowly loads the page again. */
const maxWaitingBytes = 64 * 1024;

/**
 * Registers the server-sent events of the queue: one line for each change, until the session ends. One stream of the log
 * of contributions serves every browser; it is open while somebody listens.
 */
export function registerNews(app: FastifyInstance, desk: WebDesk): void {
  const moderation = desk.connect('contributions', ModerationServiceService);
  const listening = new Map<Readable, (text: string) => Promise<void>>();
  let log: AbortController | undefined;

  app.addHook('preClose', async () => {
    for (const each of listening.keys()) each.destroy();
  });

  app.get('/queue/events', async (request, reply) => {
    if (!hasRole(staffOf(request), 'moderator'))
      throw new KnowledgeError('not_found', 'Only moderators follow the queue.');
    if (listening.size >= maxListeners) throw new KnowledgeError('unavailable', 'Too many pages follow the queue.');
    const events = new Readable({ read: () => undefined });
    let asked: Promise<boolean> | undefined;
    const isOpen = () => {
      if (asked === undefined) {
        asked = isSessionOpen(request, desk);
        setTimeout(() => (asked = undefined), sessionMs).unref();
      }
      return asked;
    };
    const tell = async (text: string) => {
      const open = await isOpen();
      if (!listening.has(events)) return;
      if (open) return send(events, text);
      listening.delete(events);
      send(events, 'event: bye\ndata:\n\n');
      events.push(null);
    };
    listening.set(events, tell);
    if (log === undefined) {
      log = new AbortController();
      void readLog(moderation, log.signal, (news) => {
        for (const each of listening.values()) void each(`data: ${JSON.stringify(news)}\n\n`);
      });
    }
    const heartbeat = setInterval(() => tell(':\n\n'), heartbeatMs);
    events.on('close', () => {
      clearInterval(heartbeat);
      listening.delete(events);
      if (listening.size > 0) return;
      log?.abort();
      log = undefined;
    });
    events.on('error', () => undefined);
    events.push(':\n\n');
    // nginx would keep the events until its buffer is full.
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(events);
  });
}

function send(events: Readable, text: string) {
  if (events.readableLength > maxWaitingBytes) events.destroy();
  else events.push(text);
}

/** Whether the session of the request is open still. An outage of identity is no end of a session. */
async function isSessionOpen(request: FastifyRequest, desk: WebDesk) {
  const call = { requestId: request.id, deadline: Date.now() + heartbeatMs / 2 };
  return findStaff(request, desk, call).then(
    (staff) => staff !== undefined,
    () => true,
  );
}

const pauseMs = 2_000;

// A browser reads the queue anew when it connects, so a stream may begin with what happens from now on.
async function readLog(
  moderation: GrpcClient<typeof ModerationServiceService>,
  signal: AbortSignal,
  tell: (news: News) => void,
) {
  const call = () => ({ requestId: randomUUID(), actor: 'web-desk', roles: ['moderator'] as const, signal });
  while (!signal.aborted) {
    const follower = follow(contributionEvents(moderation, call), '', undefined, signal, () => undefined);
    await follower
      .run((event) => {
        const { from_state = '', to_state = '', actor = '' } = event;
        if ('id' in event) tell({ id: event.id, from: from_state, to: to_state, actor, isListed: isListed(to_state) });
      })
      .catch(() => undefined);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
