import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { titleOf } from '../base/contribution-words.js';
import type { ContributionView } from '../contributions/contribution.js';
import type { ModerationCalls } from '../contributions/decisions.js';
import { presentGroup } from '../contributions/records.js';
import {
  formField,
  hasRole,
  isOfHtmx,
  onlyFor,
  partOf,
  sendPage,
  staffOf,
  type WebDesk,
  words,
} from '../pages/index.js';
import { presentBlock } from '../people/access.js';
import { registerGroups } from './web-groups.js';
import { mayCorrect } from './web-item.js';
import { registerItemChanges } from './web-item-changes.js';
import { registerNews } from './web-news.js';
import { type Done, type GroupOutcome, type Outcome, outcomes, queuePage, withOutcome } from './web-page.js';
import {
  draftAuthors,
  findNext,
  itemPath,
  type QueueEntries,
  type QueueFilter,
  type QueueServices,
  queueServices,
  readEntries,
  readFilter,
  readItem,
  readList,
  waiting,
  writeFilter,
} from './web-read-queue.js';

/** Registers the queue of moderators: the list with its filters, the open item, and the decisions. */
export function registerQueue(app: FastifyInstance, desk: WebDesk): void {
  const services = queueServices(desk);
  const { moderation, teamwork } = services;
  registerNews(app, desk);
  registerGroups(app, services);
  registerItemChanges(app, services);

  app.get('/queue', (request, reply) => show(services, request, reply, shownBy(request)));
  // What an item needs is several calls, and support may make some of them.
  const moderators = onlyFor('moderator');
  app.get('/queue/:id', moderators, (request, reply) =>
    show(services, request, reply, shownBy(request, partOf(request))),
  );
  // Whether an item that has just come is in the list of this filter.
  app.get('/queue/:id/listed', async (request, reply) => {
    const filter = { ...readFilter(request.query), page: '' };
    const { entries } = await readEntries(moderation(request), filter, partOf(request));
    return reply.type('text/plain').send(entries.length > 0 ? 'yes' : 'no');
  });
  app.get('/queue/next', moderators, (request, reply) => goOn(services, request, reply, undefined));
  app.get('/queue/:id/next', moderators, (request, reply) => goOn(services, request, reply, partOf(request)));

  // The script of the queue says while an item is open, and when the moderator leaves it.
  for (const [path, method] of [
    ['presence', 'announcePresence'],
    ['presence/end', 'endPresence'],
  ] as const) {
    app.post(`/queue/:id/${path}`, async (request, reply) => {
      await teamwork(request)[method]({ contributionId: partOf(request) });
      return reply.code(204).send();
    });
  }
}

/** Leads to the item after this one, and says again what was just done. */
async function goOn(
  services: QueueServices,
  request: FastifyRequest,
  reply: FastifyReply,
  after: string | undefined,
): Promise<FastifyReply> {
  const { moderation, teamwork } = services;
  const { filter, done } = shownBy(request);
  const next = await findNext(moderation(request), teamwork(request), filter, after, staffOf(request).name);
  const path = next === undefined ? `/queue${writeFilter(filter)}` : itemPath(next.id, next.filter);
  if (!isOfHtmx(request)) return reply.redirect(withOutcome(path, done), 303);
  // A script needs no redirect to know the address, and the page of the queue is read already.
  reply.header('hx-push-url', path);
  return show(services, request, reply, { filter, done, open: undefined, ...(next && { ...next, open: next.id }) });
}

const markdown = createMarkdownRenderer(8_000_000);

async function show(
  services: QueueServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, open, done, page }: Showing,
): Promise<FastifyReply> {
  const [moderation, grants] = [services.moderation(request), services.grants(request)];
  const reading = readList(moderation, filter, page);
  const staff = staffOf(request);
  const canOpen = hasRole(staff, 'moderator');
  const [list, item, outcome, { openBy }, { reasons }, { groups, more = 0, held }] = await Promise.all([
    reading,
    open === undefined ? undefined : readItem(moderation, open),
    reading.then(({ entries }) => readOutcome(moderation, entries, done)),
    open === undefined ? { openBy: [] } : services.teamwork(request).announcePresence({ contributionId: open }),
    open === undefined ? { reasons: [] } : services.reasonList(request).listReasons({}),
    canOpen ? moderation.listContributionGroups({}) : { groups: [], more: 0, held: [] },
  ]);
  const { block } = item === undefined || item.email === '' ? {} : await grants.getBlock({ email: item.email });
  const authors = item === undefined || !mayCorrect(staff) ? [] : await draftAuthors(services.drafts(request), item);
  const at = list.entries.findIndex(({ id }) => id === open);
  const around = {
    staff,
    block: block === undefined ? null : presentBlock(block),
    draftAuthors: authors,
    previous: list.entries[at - 1]?.id,
    next: list.entries[at + 1]?.id,
  };
  const others = openBy.map(({ actor }) => actor).filter((actor) => actor !== staff.name);
  const shownGroups = filter.state === waiting ? groups.map(presentGroup) : [];
  const main = queuePage({
    list: { filter, ...list, open, canOpen, moreGroups: more, groups: shownGroups },
    item: item && { item, filter, markdown, reasons, others, ...around },
    outcome,
    group: { ...groupOutcomeIn(request), held: held.find(({ actor }) => actor === staff.name) },
    person: staff.name,
  });
  if (item !== undefined) return sendPage(reply, { title: titleOf(item), main, skipTo: 'item-title' });
  return sendPage(reply, { title: filter.state === waiting ? 'Queue' : `Queue: ${words(filter.state)}`, main });
}

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

function doneIn({ query }: FastifyRequest): Done | undefined {
  const what = outcomes.find((each) => each === formField(query, 'done'));
  const id = formField(query, 'id');
  return what !== undefined && id.length === 36 ? { what, id } : undefined;
}

function groupOutcomeIn({ query }: FastifyRequest): Omit<GroupOutcome, 'held'> {
  const undone = formField(query, 'undone');
  const left = formField(query, 'left', 1_000).split('.');
  return { undone: /^\d{1,4}$/.test(undone) ? Number(undone) : undefined, left: left.filter((id) => id.length === 36) };
}

async function readOutcome(
  moderation: ModerationCalls,
  entries: readonly ContributionView[],
  done: Done | undefined,
): Promise<Outcome | undefined> {
  if (done === undefined) return undefined;
  const { what, id } = done;
  return { what, record: entries.find((each) => each.id === id) ?? (await readItem(moderation, id, false)) };
}
