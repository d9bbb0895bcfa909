import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { bounds, decisions, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decisionAction, type Edit, editAction, type ModerationClient } from '../../actions/decisions.js';
import { presentGroup } from '../../actions/records.js';
import { presentBlock } from '../../present/access.js';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { isDecisionName, titleOf } from '../../present/contribution-words.js';
import { requireField } from '../../words.js';
import {
  callOf,
  csrfTokenOf,
  formCallOf,
  formField,
  hasRole,
  inWords,
  isOfHtmx,
  partOf,
  sendPage,
  staffOf,
  takeForm,
  type WebDesk,
} from '../page-parts.js';
import { daysOf, requiredReasonOf } from '../people/sealed-person.js';
import { registerGroups } from './groups.js';
import { mayCorrect } from './item.js';
import { registerNews } from './news.js';
import { type Outcome, outcomes, queuePage, type Together } from './page.js';
import {
  draftAuthors,
  findNext,
  itemPath,
  type QueueEntries,
  type QueueFilter,
  readEntries,
  readFilter,
  readList,
  waiting,
  writeFilter,
} from './read-queue.js';

/** Registers the queue of moderators: the list with its filters, the open item, and the decisions. */
export function registerQueue(app: FastifyInstance, desk: WebDesk): void {
  const moderation = desk.connect('contributions', ModerationServiceService);
  const teamwork = desk.connect('contributions', TeamworkServiceService);
  const reasonList = desk.connect('contributions', ReasonServiceService);
  const drafts = desk.connect('content', ArticleDraftServiceService);
  const grants = desk.connect('identity', GrantAdminServiceService);
  const markdown = createMarkdownRenderer(8_000_000);

  registerNews(app, desk, moderation);
  registerGroups(app, desk);
  app.get('/queue', (request, reply) => show(request, reply, shownBy(request)));
  app.get('/queue/:id', (request, reply) => show(request, reply, shownBy(request, partOf(request))));
  // Whether an item that has just come is in the list of this filter.
  app.get('/queue/:id/listed', async (request, reply) => {
    const filter = { ...readFilter(request.query), page: '' };
    const { entries } = await readEntries(moderation, filter, callOf(request), partOf(request));
    return reply.type('text/plain').send(entries.length > 0 ? 'yes' : 'no');
  });
  app.get('/queue/next', (request, reply) => goOn(request, reply, undefined));
  app.get('/queue/:id/next', (request, reply) => goOn(request, reply, partOf(request)));

  takeForm(app, '/queue/:id/decision', async (request) => {
    const id = partOf(request);
    const name = formField(request.body, 'decision');
    if (!isDecisionName(name)) throw new KnowledgeError('validation_error', 'decision: is not one that we know.');
    const { isHeld, text: needed } = decisions[name];
    const text = textOf(request, bounds.body.max);
    const expectedRevision = revisionOf(request);
    const decision = { id, expectedRevision, holdSeconds: isHeld ? rules.undoSeconds : 0 };
    const { apply } = decisionAction(name, needed === 'answer' ? { text } : { reason: text });
    await apply(moderation, decision, callOf(request)).catch(inWords({ reason: 'The reason', text: 'The answer' }));
    return withOutcome(`/queue/${id}/next${writeFilter(readFilter(request.query))}`, { what: 'decided', id });
  });

  takeForm(app, '/queue/:id/edit', async (request) => {
    const id = partOf(request);
    const call = callOf(request);
    const { body } = request;
    const item = await readItem(moderation, id, call);
    const removes = typeof (body as { remove?: unknown }).remove === 'string';
    const edit: Edit = {
      ...(!removes && { body: textOf(request, bounds.body.max) }),
      ...(!removes && item.title !== null && { title: formField(body, 'title', bounds.title.max).trim() }),
      ...(formField(body, 'unname') === 'yes' && { name: '' }),
      remove: removes ? passagesOf(formField(body, 'remove', bounds.body.max)) : [],
      forgetBefore: formField(body, 'forget') === 'yes',
    };
    const reason = formField(body, 'reason', bounds.reason.max).trim();
    const expectedRevision = revisionOf(request);
    const { apply } = editAction(edit, reason, item);
    await apply(moderation, { id, expectedRevision }, call).catch(inWords(editLabels));
    return backTo(request);
  });

  takeForm(app, '/queue/:id/notes', async (request) => {
    const id = partOf(request);
    const text = textOf(request, bounds.reason.max);
    const call = formCallOf(request);
    const note = { contributionId: id, id: call.requestId, text };
    await teamwork.addNote(note, call).catch(inWords({ text: 'A note' }));
    return backTo(request);
  });

  // The script of the queue says while an item is open, and when the moderator leaves it.
  for (const [path, method] of [
    ['presence', 'announcePresence'],
    ['presence/end', 'endPresence'],
  ] as const) {
    app.post(`/queue/:id/${path}`, async (request, reply) => {
      await teamwork[method]({ contributionId: partOf(request) }, callOf(request));
      return reply.code(204).send();
    });
  }

  takeForm(app, '/queue/:id/undo', async (request) => {
    const id = partOf(request);
    await moderation.undoDecision({ id, expectedRevision: revisionOf(request) }, callOf(request));
    return backTo(request, 'undone');
  });

  takeForm(app, '/queue/:id/sender', async (request) => {
    const id = partOf(request);
    const call = formCallOf(request);
    const { body } = request;
    const reason = requiredReasonOf(request);
    const { email, contribution } = requireField((await moderation.getContributionRecord({ id }, call)).contribution);
    const { authorizationId } = requireField(contribution);
    const isTicked = (name: string) => formField(body, name) === 'yes';
    let what: Outcome['what'] = 'unblocked';
    if (formField(body, 'what') === 'unblock') {
      await grants.unblockRequests({ email, reason }, call);
    } else {
      if (!isTicked('end') && !isTicked('block')) throw new KnowledgeError('validation_error', 'Tick what to stop.');
      what = !isTicked('block') ? 'ended' : isTicked('end') ? 'stopped' : 'blocked';
      const days = isTicked('block') ? daysOf(request) : undefined;
      // In this order the mail about the block does not speak of an agent that can still read.
      if (isTicked('end')) await grants.endAgentAccess({ email, authorizationId, reason }, call);
      if (days !== undefined) await grants.blockRequests({ email, days, reason }, call);
    }
    return backTo(request, what);
  });

  /** Leads to the item after this one, and says again what was just done. */
  async function goOn(request: FastifyRequest, reply: FastifyReply, after: string | undefined): Promise<FastifyReply> {
    const { filter, done } = shownBy(request);
    const next = await findNext(moderation, teamwork, filter, after, callOf(request));
    const path = next === undefined ? `/queue${writeFilter(filter)}` : itemPath(next.id, next.filter);
    if (!isOfHtmx(request)) return reply.redirect(withOutcome(path, done), 303);
    // A script needs no redirect to know the address, and the page of the queue is read already.
    reply.header('hx-push-url', path);
    return show(request, reply, { filter, done, open: undefined, ...(next && { ...next, open: next.id }) });
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { filter, open, done, page }: Showing,
  ): Promise<FastifyReply> {
    const call = callOf(request);
    const reading = readList(moderation, filter, call, page);
    const staff = staffOf(request);
    const mayOpen = hasRole(staff, 'moderator');
    const [list, item, outcome, { openBy }, { reasons }, { groups, more = 0, held }] = await Promise.all([
      reading,
      open === undefined ? undefined : readItem(moderation, open, call),
      reading.then(({ entries }) => readOutcome(moderation, entries, done, call)),
      open === undefined ? { openBy: [] } : teamwork.announcePresence({ contributionId: open }, call),
      open === undefined ? { reasons: [] } : reasonList.listReasons({}, call),
      mayOpen ? moderation.listContributionGroups({}, call) : { groups: [], more: 0, held: [] },
    ]);
    const { block } = item === undefined || item.email === '' ? {} : await grants.getBlock({ email: item.email }, call);
    const authors = item === undefined || !mayCorrect(staff) ? [] : await draftAuthors(drafts, item, call);
    const at = list.entries.findIndex(({ id }) => id === open);
    const csrf = csrfTokenOf(reply);
    const around = {
      staff,
      block: block === undefined ? null : presentBlock(block),
      draftAuthors: authors,
      previous: list.entries[at - 1]?.id,
      next: list.entries[at + 1]?.id,
    };
    const others = openBy.map(({ actor }) => actor).filter((actor) => actor !== call.actor);
    const main = queuePage({
      list: {
        filter,
        ...list,
        open,
        canOpen: mayOpen,
        moreGroups: more,
        groups: filter.state === waiting ? groups.map(presentGroup) : [],
      },
      item: item && { item, filter, csrf, markdown, reasons, others, ...around },
      outcome,
      together: { ...togetherIn(request), held: held.find(({ actor }) => actor === call.actor) },
      csrf,
      person: staff.name,
    });
    return sendPage(reply, { title: item === undefined ? 'Queue' : titleOf(item), main });
  }
}

/** The labels of the form that corrects a text. */
const editLabels = { title: 'Title', body: 'Text', remove: 'Words that must go', reason: 'The reason' };

/** What a page of the queue shows. */
interface Showing {
  readonly filter: QueueFilter;
  /** The id of the open item. */
  readonly open: string | undefined;
  readonly done: Done | undefined;
  /** The page of the queue, if it is read already. */
  readonly page?: QueueEntries;
}

function shownBy(request: FastifyRequest, open?: string): Showing {
  return { filter: readFilter(request.query), open, done: doneIn(request) };
}

async function readItem(moderation: ModerationClient, id: string, call: CallOptions): Promise<ContributionView> {
  const { contribution } = await moderation.getContributionRecord({ id }, call);
  return presentContribution(requireField(contribution));
}

/** What the moderator has just done, by the id of the contribution. */
interface Done {
  readonly what: Outcome['what'];
  readonly id: string;
}

function doneIn({ query }: FastifyRequest): Done | undefined {
  const all = outcomes.map((what) => ({ what, id: formField(query, what) }));
  return all.find(({ id }) => id.length === 36);
}

function togetherIn({ query }: FastifyRequest): Omit<Together, 'held'> {
  const undone = formField(query, 'undone');
  const left = formField(query, 'left', 1_000).split('.');
  return { undone: /^\d{1,4}$/.test(undone) ? Number(undone) : undefined, left: left.filter((id) => id.length === 36) };
}

async function readOutcome(
  moderation: ModerationClient,
  entries: readonly ContributionView[],
  done: Done | undefined,
  call: CallOptions,
): Promise<Outcome | undefined> {
  if (done === undefined) return undefined;
  const { what, id } = done;
  return { what, record: entries.find((each) => each.id === id) ?? (await readItem(moderation, id, call)) };
}

/** The path of the item that a form was about, with what was just done. */
function backTo(request: FastifyRequest, what?: Outcome['what']): string {
  const id = partOf(request);
  return withOutcome(itemPath(id, readFilter(request.query)), what && { what, id });
}

function withOutcome(path: string, done: Done | undefined): string {
  return done === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${done.what}=${done.id}`;
}

/** An empty line stands between two passages. */
function passagesOf(text: string): string[] {
  return text.split(/\n\s*\n/).filter((each) => each.trim() !== '');
}

function textOf({ body }: FastifyRequest, max: number): string {
  return formField(body, 'text', max).trim();
}

function revisionOf(request: FastifyRequest): number {
  const revision = formField(request.body, 'revision', 15);
  if (!/^[1-9]\d*$/.test(revision)) throw new KnowledgeError('validation_error', 'revision: must be a number.');
  return Number(revision);
}
