import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { GrpcClient } from '@knowledge/runtime/grpc';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Follower, follow } from '../../watch/follow.js';
import { contributionEvents, type LogSource } from '../../watch/sources.js';
import { findStaff, hasRole, staffOf, type WebDesk } from '../page-parts.js';

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

/** What happened to a contribution, for the browsers that show the queue. */
interface News {
  readonly id: string;
  /** The state before; empty for a new one. */
  readonly from: string;
  readonly to: string;
  readonly actor: string;
}

/** Passes on the log of contributions to every browser, from one stream. The stream is open while somebody listens. */
interface NewsFeed {
  /** Returns how to stop listening; undefined if too many listen already. */
  listen(listener: (news: News) => void): (() => void) | undefined;
  close(): void;
}

const pauseMs = 2_000;

function createNewsFeed(source: (signal: AbortSignal) => LogSource, maxListeners: number): NewsFeed {
  const listeners = new Set<(news: News) => void>();
  let stream: AbortController | undefined;
  const stop = (): void => {
    stream?.abort();
    stream = undefined;
  };
  return {
    listen(listener) {
      if (listeners.size >= maxListeners) return undefined;
      listeners.add(listener);
      if (stream === undefined) {
        stream = new AbortController();
        void run(source, stream.signal, (news) => {
          for (const each of listeners) each(news);
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}

// A browser reads the queue anew when it connects, so a stream may begin with what happens from now on.
async function run(
  source: (signal: AbortSignal) => LogSource,
  signal: AbortSignal,
  tell: (news: News) => void,
): Promise<void> {
  while (!signal.aborted) {
    const follower: Follower = follow(source(signal), '', undefined, signal, () => undefined);
    await follower
      .run((event) => {
        const { from_state = '', to_state = '', actor = '' } = event;
        if ('id' in event) tell({ id: event.id, from: from_state, to: to_state, actor });
      })
      .catch(() => undefined);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
