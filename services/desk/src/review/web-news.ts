import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { isContributor, isNoMember, KnowledgeError } from '@knowledge/runtime';
import type { GrpcClient } from '@knowledge/runtime/grpc';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contributionStates, isListed } from '../base/contribution-words.js';
import type { TransitionView } from '../base/transition.js';
import type { News } from '../browser/news.js';
import { actorWords, findStaff, hasRole, staffOf, type WebDesk } from '../pages/index.js';
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
        const { from_state: from = '', to_state: to = '', actor = '' } = event;
        const change = { from, to, actor: actorWords(actor), isListed: isListed(to) };
        if ('id' in event) tell({ id: event.id, ...change, ended: endOfHeld({ to_state: to, actor }) ?? '' });
      })
      .catch(() => undefined);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Says what ended a held decision before its time; undefined if nothing did. While one is held, moderators decide nothing
 * else, so a decision that comes is the held one.
 */
export function endOfHeld({ to_state, actor }: Pick<TransitionView, 'to_state' | 'actor'>): string | undefined {
  if (to_state === 'undone') return `${actor} has undone this decision.`;
  const isOfStaff = !isContributor(actor) && !isNoMember(actor);
  const what = endings.find((each) => each === to_state) ?? (!isOfStaff && isState(to_state) ? 'changed' : undefined);
  return what && `it was ${what} meanwhile by ${actorWords(actor)}, and this decision was dropped.`;
}

/** What staff can do too, such as with the end of an access. No decision does it. */
const endings = ['withdrawn', 'erased'] as const;

function isState(word: string) {
  return contributionStates.words.includes(word);
}
