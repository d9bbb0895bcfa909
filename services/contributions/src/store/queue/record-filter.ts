import { type Site, sites } from '@knowledge/runtime';
import {
  type ContributionState,
  type ContributionType,
  contributionStates,
  contributionTypes,
  kinds,
} from '@knowledge/runtime/product';
import type { Filter } from 'mongodb';
import type { InquiryPurpose } from '../../domain/contribution.js';
import type { ContributionDocument } from '../documents.js';

/** Selects contributions for moderators. An empty list or undefined selects all. */
export interface RecordFilter {
  states: readonly ContributionState[];
  types: readonly ContributionType[];
  site: Site | undefined;
  /** Only inquiries with this purpose. For a correction or report `terms` has the term of it. */
  purpose: InquiryPurpose | undefined;
  /** Contributions have all of these (`domain/search-terms.ts`). */
  terms: readonly number[];
  /** The key of a group; `none` for what is in no group. */
  group: string | undefined;
  /** The e-mail in lower case. */
  email: string | undefined;
  idPrefix: string | undefined;
  /** The id of a request that sent or changed it. */
  requestId: string | undefined;
  /** Sent at this time or later. */
  since: Date | undefined;
  /** Sent before this time. */
  before: Date | undefined;
}

/** The values of a filter for the first fields of the indexes of the queue. */
export interface Cells {
  states: readonly ContributionState[];
  types: readonly ContributionType[];
  sites: readonly Site[];
}

export function cellsOf({ states, types, site, purpose }: RecordFilter): Cells {
  return {
    states: states.length === 0 ? contributionStates : states,
    types: typesOf(types, purpose),
    sites: site === undefined ? sites : [site],
  };
}

function typesOf(types: RecordFilter['types'], purpose: InquiryPurpose | undefined): Cells['types'] {
  const chosen = types.length === 0 ? contributionTypes : types;
  return purpose === undefined ? chosen : chosen.filter((type) => kinds[type].hasPurpose);
}

/** Whether a filter leaves some states, types, sites or times out. */
export function isNarrow({ states, types, site, since, before }: RecordFilter): boolean {
  return states.length > 0 || types.length > 0 || site !== undefined || since !== undefined || before !== undefined;
}

/** The part of a filter that the indexes of the queue answer without documents. */
export function inQueue(filter: RecordFilter): Filter<ContributionDocument> {
  const { states, types, sites } = cellsOf(filter);
  return { state: { $in: [...states] }, type: { $in: [...types] }, site: { $in: [...sites] }, ...sentIn(filter) };
}

export function sentIn({ since, before }: Pick<RecordFilter, 'since' | 'before'>): Filter<ContributionDocument> {
  if (since === undefined && before === undefined) return {};
  return { submittedAt: { ...(since && { $gte: since }), ...(before && { $lt: before }) } };
}
