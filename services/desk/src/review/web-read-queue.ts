import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { readDraft } from '../articles/drafts.js';
import { contributionStates, contributionTypes, inquiryPurposes } from '../base/contribution-words.js';
import type { ArticleDraftCalls, Calls } from '../base/services.js';
import { requireField, sites } from '../base/words.js';
import { type ContributionView, presentContribution } from '../contributions/contribution.js';
import type { ModerationCalls } from '../contributions/decisions.js';
import { recordFilter, recordOrders } from '../contributions/records.js';
import { inWords, siteChoices, type WebDesk, words } from '../pages/index.js';

/** The services that know the items of the queue. */
export type QueueServices = ReturnType<typeof queueServices>;

export function queueServices({ calls }: WebDesk) {
  return {
    moderation: calls('contributions', ModerationServiceService),
    teamwork: calls('contributions', TeamworkServiceService),
    reasonList: calls('contributions', ReasonServiceService),
    drafts: calls('content', ArticleDraftServiceService),
    grants: calls('identity', GrantAdminServiceService),
  };
}

export const waiting = 'pending_review';

const any = ['', 'any'] as const;
const choicesOf = (list: readonly string[]) => list.map((each) => [each, words(each)] as const);
const purposes = inquiryPurposes.words.filter((each) => each !== 'question');

/** Each selects what was sent since some days ago, or before. */
const ages = {
  day: ['in the last day', 'since', 1],
  week: ['in the last 7 days', 'since', 7],
  'over-3-days': ['more than 3 days ago', 'before', 3],
  'over-week': ['more than 7 days ago', 'before', 7],
} as const;

interface FilterField {
  /** The form shows fields with a label. */
  readonly label?: string;
  readonly choices?: readonly (readonly [value: string, words: string])[];
  /** How many characters a field without choices may have. */
  readonly most?: number;
  /** What counts without a choice. */
  readonly usual?: string;
}

const filterFields = {
  words: { label: 'Words in the text', most: 500 },
  state: { label: 'State', choices: choicesOf([...contributionStates.words, 'any']), usual: waiting },
  // Moderators see corrections and reports, which are inquiries with these purposes, as types.
  type: { label: 'Type', choices: [any, ...choicesOf([...contributionTypes.words, ...purposes])] },
  site: { label: 'Site', choices: [any, ...siteChoices] },
  age: { label: 'Sent', choices: [any, ...Object.entries(ages).map(([age, [label]]) => [age, label] as const)] },
  order: {
    label: 'Order',
    choices: [
      ['oldest', 'oldest first'],
      ['risk', 'highest risk first'],
      ['newest', 'newest first'],
    ],
    usual: 'oldest',
  },
  language: { label: 'Language', most: 35 },
  agent: { label: 'Agent', most: 120 },
  sender: { label: 'Sender, the whole e-mail address', most: 254 },
  /** The key of a group, or `none`. */
  group: { most: 300 },
  /** The token of the page; empty for the first. */
  page: { most: 2000 },
} satisfies Readonly<Record<string, FilterField>>;

/** What a moderator wants to see in the queue. An empty text filters nothing. */
export type QueueFilter = Readonly<Record<keyof typeof filterFields, string>>;

export const fields = Object.entries(filterFields) as [keyof QueueFilter, FilterField][];

/** Reads the filter of a query. A choice that it does not know counts as not given, so that an old link still works. */
export function readFilter(query: unknown): QueueFilter {
  const read = ([name, { choices, most, usual = '' }]: (typeof fields)[number]) => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    const text = typeof value === 'string' ? [...value.trim()].slice(0, most).join('') : '';
    return [name, choices?.every(([known]) => known !== text) ? usual : text];
  };
  return Object.fromEntries(fields.map(read));
}

/** Writes what differs from the usual view as a query: `?type=story`, or nothing. */
export function writeFilter(filter: QueueFilter, changes: Partial<QueueFilter> = {}): string {
  const given = new URLSearchParams({ ...filter, ...changes });
  for (const [name, { usual = '' }] of fields) given.delete(name, usual);
  return given.size === 0 ? '' : `?${given}`;
}

/** The path of an item in the same view of the queue. */
export function itemPath(id: string, filter: QueueFilter): string {
  return `/queue/${id}${writeFilter(filter)}`;
}

/** Between which times a contribution of this age was sent. */
export function sentBetween(age: string, now = Date.now()): { since?: Date; before?: Date } {
  if (!Object.hasOwn(ages, age)) return {};
  const [, side, days] = ages[age as keyof typeof ages];
  return { [side]: new Date(now - days * 24 * 60 * 60_000) };
}

/** A page of the queue. */
export interface QueueEntries {
  readonly entries: readonly ContributionView[];
  /** The token of the next page; empty at the end. */
  readonly nextPage: string;
}

/** A page of the queue, and how many there are in all. */
interface QueuePage extends QueueEntries {
  readonly counts: QueueCounts;
}

export interface QueueCounts {
  readonly total: number;
  /** Whether there are more than these. */
  readonly atLeast: boolean;
  readonly byType: ReadonlyMap<string, number>;
}

const pageSize = 50;

const filterLabels = { query: 'Words in the text', language: 'Language', agent_name: 'Agent', email: 'Sender' };

/** Reads a page of the queue with its counts; only the counts if the page is known. */
export async function readList(
  moderation: ModerationCalls,
  asked: QueueFilter,
  known?: QueueEntries,
): Promise<QueuePage> {
  const [page, { counts, atLeast }] = await Promise.all([
    known ?? readEntries(moderation, asked),
    moderation.countContributionRecords({ filter: filterOf(asked) }).catch(inWords(filterLabels)),
  ]);
  const byType = new Map<string, number>();
  for (const { type, count } of counts) {
    const word = contributionTypes.fromWire(type);
    byType.set(word, (byType.get(word) ?? 0) + count);
  }
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return { ...page, counts: { total, atLeast, byType } };
}

/** Reads a page of the queue, or of it only the item with this id. */
export async function readEntries(
  moderation: ModerationCalls,
  asked: QueueFilter,
  idPrefix = '',
): Promise<QueueEntries> {
  const filter = filterOf(asked);
  const order = recordOrders.toWire(asked.order);
  const request = { filter, order, idPrefix, pageSize, pageToken: asked.page };
  const reading = moderation.listContributionRecords(request);
  const { contributions, nextPageToken } = await reading.catch(inWords(filterLabels));
  return { entries: contributions.map(presentContribution), nextPage: nextPageToken };
}

function filterOf({ state, type, age, sender, words: query, ...rest }: QueueFilter) {
  return recordFilter({
    ...rest,
    ...sentBetween(age),
    states: state === 'any' ? [] : [state],
    ...(contributionTypes.words.includes(type) ? { types: [type] } : { purpose: type }),
    email: sender,
    query,
  });
}

/** The item that a moderator opens next, in its page of the queue. */
interface NextItem {
  readonly id: string;
  readonly filter: QueueFilter;
  readonly page: QueueEntries;
}

/** How many pages are searched. All items of the first ones can be decided and not yet in effect. */
const pagesMost = 10;
/** How many items are tried that colleagues open at the same moment. */
const triesMost = 10;

/**
 * Finds the item that the moderator opens after another one, and announces it as open. It is one that no colleague
 * has open; only if there is none, one that colleagues have open. Undefined if nothing waits.
 */
export async function findNext(
  moderation: ModerationCalls,
  teamwork: Calls<typeof TeamworkServiceService>,
  filter: QueueFilter,
  after: string | undefined,
  actor: string,
): Promise<NextItem | undefined> {
  let taken: NextItem | undefined;
  let tries = 0;
  for (const asked = [filter.page]; asked.length <= pagesMost; ) {
    const inPage = { ...filter, page: asked.at(-1) ?? '' };
    const page = await readEntries(moderation, inPage);
    const found = inTurn(page.entries, after, actor);
    for (const each of found.free.slice(0, triesMost - tries)) {
      tries++;
      const { openBy } = await teamwork.announcePresence({ contributionId: each.id });
      // Of two who announce it at the same moment, only the first sees nobody else.
      if (openBy.every((other) => other.actor === actor)) return { id: each.id, filter: inPage, page };
      taken ??= { id: each.id, filter: inPage, page };
      await teamwork.endPresence({ contributionId: each.id });
    }
    const [other] = found.taken;
    if (other !== undefined) taken ??= { id: other.id, filter: inPage, page };
    // After the last page come those before the page where the search began.
    if (tries === triesMost || asked.includes(page.nextPage)) break;
    asked.push(page.nextPage);
  }
  return taken;
}

/**
 * The items of a page that still need a decision, in the order in which one moderator takes them. It begins after `after`.
 * Nobody else has the free ones open.
 */
export function inTurn(entries: readonly ContributionView[], after: string | undefined, actor: string) {
  const at = entries.findIndex(({ id }) => id === after);
  const undecided = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].filter(
    ({ id, held }) => held === null && id !== after,
  );
  const isTaken = ({ open_by }: ContributionView) => open_by.some((each) => each.actor !== actor);
  return { free: undecided.filter((each) => !isTaken(each)), taken: undecided.filter(isTaken) };
}

/** Who wrote the draft of the article that a correction is about; empty without one. */
export async function draftAuthors(
  drafts: ArticleDraftCalls,
  { purpose, about }: ContributionView,
): Promise<readonly string[]> {
  if (purpose !== 'correction' || about === null || about.slug === null) return [];
  const name = { site: sites.toWire(about.site), slug: about.slug };
  // The item can be decided without this line, so a failure of content must not hide the item.
  const draft = await readDraft(drafts, name).catch(() => undefined);
  return draft?.notice.authors ?? [];
}

export async function readItem(moderation: ModerationCalls, id: string, isShown = true): Promise<ContributionView> {
  const { contribution } = await moderation.getContributionRecord({ id, notShown: !isShown });
  return presentContribution(requireField(contribution));
}
