import type { CallOptions } from '@knowledge/runtime/grpc';
import type { ModerationClient } from '../../actions/decisions.js';
import { recordFilter, recordOrders } from '../../actions/records.js';
import { type ContributionView, contributionTypes, presentContribution } from '../../present/contribution.js';
import { inWords } from '../forms/form-values.js';
import { type QueueFilter, sentBetween } from './filter.js';

/** A page of the queue. */
export interface QueueEntries {
  readonly entries: readonly ContributionView[];
  /** The token of the next page; empty at the end. */
  readonly nextPage: string;
}

/** A page of the queue, and how many there are in all. */
export interface QueuePage extends QueueEntries {
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
  moderation: ModerationClient,
  asked: QueueFilter,
  call: CallOptions,
  known?: QueueEntries,
): Promise<QueuePage> {
  const [page, { counts, atLeast }] = await Promise.all([
    known ?? readEntries(moderation, asked, call),
    moderation.countContributionRecords({ filter: filterOf(asked) }, call).catch(inWords(filterLabels)),
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
  moderation: ModerationClient,
  asked: QueueFilter,
  call: CallOptions,
  idPrefix = '',
): Promise<QueueEntries> {
  const filter = filterOf(asked);
  const order = recordOrders.toWire(asked.order);
  const request = { filter, order, idPrefix, pageSize, pageToken: asked.page };
  const reading = moderation.listContributionRecords(request, call);
  const { contributions, nextPageToken } = await reading.catch(inWords(filterLabels));
  return { entries: contributions.map(presentContribution), nextPage: nextPageToken };
}

function filterOf({ state, type, age, agent, sender, words, ...rest }: QueueFilter): ReturnType<typeof recordFilter> {
  return recordFilter({
    ...rest,
    ...sentBetween(age),
    states: state === 'any' ? [] : [state],
    ...(contributionTypes.words.includes(type) ? { types: [type] } : { purpose: type }),
    agent,
    email: sender,
    query: words,
  });
}
