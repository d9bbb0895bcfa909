import { type ContributionFilter, RecordOrder } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { contributionStates, contributionTypes, inquiryPurposes } from '../../present/contribution.js';
import { enumWords, sites } from '../../words.js';

/** Which contributions a staff member wants to see, in the words of the desk. */
export interface RecordWords {
  /** Empty or undefined for all. */
  readonly states?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Of an inquiry. */
  readonly purpose?: string | undefined;
  readonly site?: string | undefined;
  readonly language?: string | undefined;
  readonly agent?: string | undefined;
  readonly email?: string | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
  readonly query?: string | undefined;
  /** The key of a group, or `none`. */
  readonly group?: string | undefined;
}

/** The orders of the queue: `oldest`, `newest` and `risk`. */
export const recordOrders = enumWords(RecordOrder);

export function recordFilter(words: RecordWords): ContributionFilter {
  return {
    states: (words.states ?? []).map(contributionStates.toWire),
    types: (words.types ?? []).map(contributionTypes.toWire),
    site: sites.toWire(words.site),
    language: words.language ?? '',
    agentName: words.agent ?? '',
    email: words.email ?? '',
    sentSince: words.since,
    sentBefore: words.before,
    query: words.query ?? '',
    purpose: inquiryPurposes.toWire(words.purpose),
    group: words.group,
  };
}
