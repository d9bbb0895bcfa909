import { recordOrders } from '../../actions/records.js';
import { contributionStates, contributionTypes, inquiryPurposes } from '../../present/contribution.js';
import { sites } from '../../words.js';

/** What a moderator wants to see in the queue. An empty text filters nothing. */
export interface QueueFilter {
  /** A state, or `any`. */
  readonly state: string;
  /** One of `shownTypes`. */
  readonly type: string;
  readonly site: string;
  readonly language: string;
  readonly age: Age | '';
  readonly agent: string;
  readonly sender: string;
  readonly words: string;
  /** The key of a group, or `none`. */
  readonly group: string;
  /** One of `recordOrders`. */
  readonly order: string;
  /** The token of the page; empty for the first. */
  readonly page: string;
}

/** The types as moderators see them: corrections and reports are inquiries with these purposes. */
export const shownTypes = [...contributionTypes.words, ...inquiryPurposes.words.filter((each) => each !== 'question')];

const ages = ['day', 'week', 'over-3-days', 'over-week'] as const;
export type Age = (typeof ages)[number];

export const waiting = 'pending_review';
const usualOrder = 'oldest';

/** Reads the filter of a query. A choice that it does not know counts as not given, so that an old link still works. */
export function readFilter(query: unknown): QueueFilter {
  const text = (name: keyof QueueFilter, max = 200): string => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? [...value.trim()].slice(0, max).join('') : '';
  };
  const choice = <Word extends string>(name: keyof QueueFilter, words: readonly Word[]): Word | '' =>
    words.find((word) => word === text(name)) ?? '';
  return {
    state: choice('state', ['any', ...contributionStates.words]) || waiting,
    type: choice('type', shownTypes),
    site: choice('site', sites.words),
    language: text('language', 35),
    age: choice('age', ages),
    agent: text('agent', 120),
    sender: text('sender', 254),
    words: text('words', 500),
    group: text('group', 300),
    order: choice('order', recordOrders.words) || usualOrder,
    page: text('page', 2000),
  };
}

/** Writes what differs from the usual view as a query: `?type=story`, or nothing. */
export function writeFilter(filter: QueueFilter, changes: Partial<QueueFilter> = {}): string {
  const usual: Readonly<Record<string, string>> = { state: waiting, order: usualOrder };
  const given = Object.entries({ ...filter, ...changes }).filter(
    ([name, value]) => value !== '' && value !== usual[name],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Between which times a contribution of this age was sent. */
export function sentBetween(age: Age | '', now = Date.now()): { since?: Date; before?: Date } {
  const daysAgo = (days: number): Date => new Date(now - days * 24 * 60 * 60_000);
  switch (age) {
    case 'day':
      return { since: daysAgo(1) };
    case 'week':
      return { since: daysAgo(7) };
    case 'over-3-days':
      return { before: daysAgo(3) };
    case 'over-week':
      return { before: daysAgo(7) };
    case '':
      return {};
  }
}
