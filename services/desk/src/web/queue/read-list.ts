import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { CallOptions } from '@knowledge/runtime/grpc';
import type { ModerationClient } from '../../actions/review/moderation-client.js';
import { recordFilter, recordOrders } from '../../actions/review/record-filter.js';
import { type ContributionView, contributionTypes, presentContribution } from '../../present/contribution.js';
import { type QueueFilter, sentBetween } from './filter.js';

/** A page of the queue, and how many there are in all. */
export interface QueuePage {
  readonly entries: readonly ContributionView[];
  readonly nextPage: string;
  readonly counts: QueueCounts;
}

export interface QueueCounts {
  readonly total: number;
  /** Whether there are more than these. */
  readonly atLeast: boolean;
  readonly byType: ReadonlyMap<string, number>;
}

const pageSize = 50;

/** Reads a page of the queue with its counts. */
export async function readList(
  moderation: ModerationClient,
  asked: QueueFilter,
  call: CallOptions,
): Promise<QueuePage> {
  const filter = filterOf(asked);
  const order = recordOrders.toWire(asked.order);
  const [{ contributions, nextPageToken }, { counts, atLeast }] = await Promise.all([
    moderation.listContributionRecords({ ...any, filter, order, pageSize, pageToken: asked.page }, call),
    moderation.countContributionRecords({ filter }, call),
  ]);
  const byType = new Map<string, number>();
  for (const { type, count } of counts) {
    const word = contributionTypes.fromWire(type);
    byType.set(word, (byType.get(word) ?? 0) + count);
  }
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    entries: contributions.map(presentContribution),
    nextPage: nextPageToken,
    counts: { total, atLeast, byType },
  };
}

function filterOf({ state, type, age, agent, sender, words, ...rest }: QueueFilter): ReturnType<typeof recordFilter> {
  return recordFilter({
    ...rest,
    ...sentBetween(age),
    states: state === 'any' ? [] : [state],
    types: type === '' ? [] : [type],
    agent,
    email: sender,
    query: words,
  });
}

// The filter says all of it.
const any = { state: ContributionState.UNSPECIFIED, type: ContributionType.UNSPECIFIED, site: Site.UNSPECIFIED };
