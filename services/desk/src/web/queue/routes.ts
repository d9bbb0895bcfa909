import { randomUUID } from 'node:crypto';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { KnowledgeError } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { createCommunityMarkdown } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { editAction } from '../../actions/review/decisions.js';
import type { ModerationClient } from '../../actions/review/moderation-client.js';
import { actionOf, isDecisionName } from '../../actions/review/offers.js';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { readFilter } from './filter.js';
import { itemPath, titleOf } from './list.js';
import { registerNews } from './news-route.js';
import { type Outcome, queuePage } from './page.js';
import { pathAfter } from './path-after.js';
import { readList } from './read-list.js';

/** For how long a decision can be undone. Until then no mail leaves and nothing is published. */
const holdSeconds = 30;

/** Registers the queue of moderators: the list with its filters, the open item, and the decisions. */
export function registerQueue(app: FastifyInstance, desk: WebDesk): void {
  const moderation = desk.connect('contributions', ModerationServiceService);
  const teamwork = desk.connect('contributions', TeamworkServiceService);
  const reasonList = desk.connect('contributions', ReasonServiceService);
  const markdown = createCommunityMarkdown(8_000_000);

  registerNews(app, desk, moderation);
  app.get('/queue', (request, reply) => show(request, reply, undefined));
  app.get<{ Params: { id: string } }>('/queue/:id', (request, reply) => show(request, reply, request.params.id));

  app.post<{ Params: { id: string } }>('/queue/:id/decision', async (request, reply) => {
    const { id } = request.params;
    const name = formField(request.body, 'decision');
    if (!isDecisionName(name)) throw new KnowledgeError('validation_error', 'decision: is not one that we know.');
    const text = textOf(request, 8_000);
    const expectedRevision = revisionOf(request);
    const call = callOf(request);
    await actionOf(name, { text, note: '' }).apply(moderation, { id, expectedRevision, holdSeconds }, call);
    const filter = readFilter(request.query as Record<string, unknown>);
    const { entries } = await readList(moderation, filter, call);
    return reply.redirect(withOutcome(pathAfter(id, entries, filter), 'decided', id), 303);
  });

  app.post<{ Params: { id: string } }>('/queue/:id/edit', async (request, reply) => {
    const { id } = request.params;
    const call = callOf(request);
    const { body } = request;
    const { state, title } = await readItem(moderation, id, call);
    const edit = {
      ...(title !== null && { title: formField(body, 'title', 320).trim() }),
      ...{ body: textOf(request, 8_000), name: formField(body, 'name', 240).trim() },
      forgetBefore: formField(body, 'forget') === 'yes',
    };
    const reason = formField(body, 'reason', 4_000).trim();
    const expectedRevision = revisionOf(request);
    await editAction(edit, reason, state === 'published').apply(moderation, { id, expectedRevision }, call);
    return reply.redirect(itemPath(id, readFilter(request.query as Record<string, unknown>)), 303);
  });

  app.post<{ Params: { id: string } }>('/queue/:id/notes', async (request, reply) => {
    const { id } = request.params;
    const text = textOf(request, 2_000);
    await teamwork.addNote({ contributionId: id, id: randomUUID(), text }, callOf(request));
    return reply.redirect(itemPath(id, readFilter(request.query as Record<string, unknown>)), 303);
  });

  app.post<{ Params: { id: string } }>('/queue/:id/presence', async (request, reply) => {
    await teamwork.announcePresence({ contributionId: request.params.id }, callOf(request));
    return reply.code(204).send();
  });

  app.post<{ Params: { id: string } }>('/queue/:id/undo', async (request, reply) => {
    const { id } = request.params;
    await moderation.undoDecision({ id, expectedRevision: revisionOf(request) }, callOf(request));
    const filter = readFilter(request.query as Record<string, unknown>);
    return reply.redirect(withOutcome(itemPath(id, filter), 'undone', id), 303);
  });

  /** Tells colleagues that the staff member has it open, and returns who else has. */
  async function announce(id: string, call: CallOptions & { actor: string }): Promise<string[]> {
    const { openBy } = await teamwork.announcePresence({ contributionId: id }, call);
    return openBy.map(({ actor }) => actor).filter((actor) => actor !== call.actor);
  }

  async function show(request: FastifyRequest, reply: FastifyReply, open: string | undefined): Promise<FastifyReply> {
    const call = callOf(request);
    const query = request.query as Record<string, unknown>;
    const filter = readFilter(query);
    const [list, item, outcome, openBy, { reasons }] = await Promise.all([
      readList(moderation, filter, call),
      open === undefined ? undefined : readItem(moderation, open, call),
      readOutcome(moderation, query, call),
      open === undefined ? [] : announce(open, call),
      open === undefined ? { reasons: [] } : reasonList.listReasons({}, call),
    ]);
    const at = list.entries.findIndex(({ id }) => id === open);
    const csrf = csrfTokenOf(reply);
    const around = { previous: list.entries[at - 1]?.id, next: list.entries[at + 1]?.id };
    const main = queuePage({
      list: { filter, ...list, open },
      item: item && { item, filter, csrf, markdown, reasons, others: openBy, ...around },
      outcome,
      csrf,
    });
    return sendPage(reply, { title: item === undefined ? 'Queue' : titleOf(item), main });
  }
}

async function readItem(moderation: ModerationClient, id: string, call: CallOptions): Promise<ContributionView> {
  const { contribution } = await moderation.getContributionRecord({ id }, call);
  return presentContribution(requireField(contribution));
}

async function readOutcome(
  moderation: ModerationClient,
  query: Readonly<Record<string, unknown>>,
  call: CallOptions,
): Promise<Outcome | undefined> {
  for (const what of ['decided', 'undone'] as const) {
    const id = query[what];
    if (typeof id === 'string' && id.length === 36) return { what, record: await readItem(moderation, id, call) };
  }
  return undefined;
}

function withOutcome(path: string, what: Outcome['what'], id: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${what}=${id}`;
}

// Browsers send line ends of two characters.
function textOf(request: FastifyRequest, max: number): string {
  return formField(request.body, 'text', 2 * max)
    .replaceAll('\r\n', '\n')
    .trim();
}

function revisionOf(request: FastifyRequest): number {
  const revision = formField(request.body, 'revision', 15);
  if (!/^[1-9]\d*$/.test(revision)) throw new KnowledgeError('validation_error', 'revision: must be a number.');
  return Number(revision);
}
