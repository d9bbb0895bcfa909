import type { CallOptions } from '@knowledge/runtime/client';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import type { ModerationClient } from './moderation-client.js';
import { recordFilter } from './record-filter.js';

/** How many texts one decision takes. */
export const mostTogether = 1_000;

/** How long a call may take that changes all of them. */
export const groupLimits = { deadlineMs: 30_000 };

/** Reads the waiting texts of a group. Those with the least risk come first, since they may not belong to it. */
export async function readGroup(
  moderation: ModerationClient,
  group: string,
  callContext: () => CallOptions,
): Promise<ContributionView[]> {
  const filter = recordFilter({ group, states: ['pending_review'] });
  const found: ContributionView[] = [];
  let pageToken = '';
  do {
    const page = await moderation.listContributionRecords({ filter, pageSize: 200, pageToken }, callContext());
    found.push(...page.contributions.map(presentContribution).filter(({ held }) => held === null));
    pageToken = page.nextPageToken;
  } while (pageToken !== '' && found.length < mostTogether);
  return found.slice(0, mostTogether).sort((one, other) => one.risk - other.risk);
}
