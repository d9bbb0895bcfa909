import {
  type ContributionFilter,
  type CountContributionRecordsRequest,
  type ListContributionRecordsRequest,
  RecordOrder as WireOrder,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import {
  canonicalLanguage,
  decodePageToken,
  encodePageToken,
  KnowledgeError,
  languageBound,
  readIdPrefix,
  readPageSize,
  readPageTime,
} from '@knowledge/runtime';
import { enumWords, optionalSite, requireEmail } from '@knowledge/runtime/wire';
import { agentTerm, languageTerm, purposeTerms, queryTerms } from '../domain/search-terms.js';
import type { RecordFilter } from '../store/queue/record-filter.js';
import type { RecordPosition } from '../store/queue/record-order.js';
import type { RecordPage } from '../store/queue/record-queue.js';
import { optionalPurpose, optionalState, optionalType } from './wire-enums.js';

const { optional: optionalOrder } = enumWords('order', WireOrder);

type Filtered = CountContributionRecordsRequest & Partial<ListContributionRecordsRequest>;

/** @throws KnowledgeError `validation_error` for a field that is not valid. */
export function readRecordFilter({ filter, idPrefix, requestId }: Filtered): RecordFilter {
  const { states = [], types = [] } = filter ?? {};
  if (states.length > most || types.length > most) refuse(`states and types must be at most ${most} each`);
  const { sentSince: since, sentBefore: before } = filter ?? {};
  return {
    states: [...new Set(states.map(optionalState))].filter(isKnown),
    types: [...new Set(types.map(optionalType))].filter(isKnown),
    site: filter && optionalSite(filter.site),
    purpose: filter && optionalPurpose(filter.purpose),
    terms: termsOf(filter),
    group: filter?.group || undefined,
    email: filter?.email ? requireEmail(filter.email) : undefined,
    idPrefix: readIdPrefix(idPrefix),
    requestId: requestId || undefined,
    since,
    before,
  };
}

const most = 20;

const isKnown = <Value>(value: Value | undefined): value is Value => value !== undefined;

function termsOf(filter: ContributionFilter | undefined): number[] {
  const { language = '', agentName = '', query = '' } = filter ?? {};
  const terms = query.trim() === '' ? [] : queryTerms(query);
  terms.push(...purposeTerms(filter && optionalPurpose(filter.purpose)));
  if (agentName !== '') terms.push(agentTerm(agentName));
  if (language !== '') terms.push(languageTerm(canonicalLanguage(language) ?? refuse(`language ${languageBound}`)));
  return [...new Set(terms)];
}

function refuse(fault: string): never {
  throw new KnowledgeError('validation_error', `${fault}.`);
}

/** @throws KnowledgeError `validation_error` for a size or token that is not valid. */
export function readRecordPage({ pageSize, pageToken, order }: ListContributionRecordsRequest): RecordPage {
  const key = decodePageToken(pageToken, [], ['number', 'number', 'string']);
  return {
    order: (order && optionalOrder(order)) ?? 'oldest',
    size: readPageSize(pageSize),
    after: key && { risk: key[0], at: readPageTime(key[1]), id: key[2] },
  };
}

export function recordPageToken(next: RecordPosition | undefined): string {
  return next === undefined ? '' : encodePageToken([], [next.risk, next.at.getTime(), next.id]);
}
