import {
  type ContributionFilter,
  type ContributionGroup,
  RecordOrder,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { CallOptions } from '@knowledge/runtime/client';
import { bounds } from '@knowledge/runtime/product';
import { contributionStates, contributionTypes, inquiryPurposes } from '../base/contribution-words.js';
import { presented } from '../base/presented.js';
import { enumWords, sites } from '../base/words.js';
import { type ContributionView, presentContribution } from './contribution.js';
import type { ModerationCalls } from './decisions.js';

/** Which contributions a staff member wants to see, in the words of the desk. */
interface RecordWords {
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

/** How long a call may take that changes all of them. */
export const groupLimits = { deadlineMs: 30_000 };

/** Reads the waiting texts of a group. Those with the least risk come first, since they may not belong to it. */
export async function readGroup(
  moderation: ModerationCalls,
  group: string,
  own?: Partial<CallOptions>,
): Promise<ContributionView[]> {
  const filter = recordFilter({ group, states: ['pending_review'] });
  const found: ContributionView[] = [];
  let pageToken = '';
  do {
    const page = await moderation.listContributionRecords({ filter, pageSize: 200, pageToken }, own);
    found.push(...page.contributions.map(presentContribution).filter(({ held }) => held === null));
    pageToken = page.nextPageToken;
  } while (pageToken !== '' && found.length < bounds.decidedAtOnce);
  return found.slice(0, bounds.decidedAtOnce).sort((one, other) => one.risk - other.risk);
}

export type GroupView = ReturnType<typeof presentGroup>;

/** Converts what waiting contributions have in common to field names like those of the HTTP API. */
export function presentGroup(group: ContributionGroup) {
  return { ...presented(group), key_at_time: `${group.key}@${group.latest?.toISOString()}` };
}

/** The mail domain that the texts of a group have in common, if it is that. */
export function mailDomainOf(key: string): string | undefined {
  return /^mail:(.*)$/s.exec(key)?.[1];
}

/** How to keep further humans of the mail domain of a group away; undefined for one human. */
export function ruleHint({ key, humans }: Pick<GroupView, 'key' | 'humans'>): string | undefined {
  const domain = mailDomainOf(key);
  return domain && humans > 1
    ? `For new humans of ${domain}: knowledge domain limit ${domain} --humans N, or knowledge domain refuse ${domain}.`
    : undefined;
}

/** What the texts of a group have in common, for example `link to example.org`. */
export function commonWords(key: string, texts = 2): string {
  const [, kind = '', value = ''] = /^([a-z]+):(.*)$/s.exec(key) ?? [];
  const [one, several, end] = Object.hasOwn(words, kind)
    ? (words[kind] as (value: string) => Words)(value)
    : [key, key, ''];
  return `${texts === 1 ? one : several}${end}`;
}

type Words = readonly [one: string, several: string, end: string];
const words: Readonly<Record<string, (value: string) => Words>> = {
  link: (site) => ['links', 'link', ` to ${site}`],
  mail: (domain) => ['comes', 'come', ` from mailboxes of ${domain}`],
  network: () => ['comes', 'come', ' from one network'],
  text: () => ['has', 'have', ' nearly the same words'],
  human: (email) => ['is', 'are', ` of the human ${email}`],
  agent: () => ['is', 'are', ' of one agent'],
};
