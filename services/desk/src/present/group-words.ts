import type { ContributionGroup } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { timestamp } from '../print/time.js';

export type GroupView = ReturnType<typeof presentGroup>;

/** Converts what waiting contributions have in common to field names like those of the HTTP API. */
export function presentGroup({ key, contributions, humans, latest }: ContributionGroup) {
  return { key, key_at_time: `${key}@${latest?.toISOString()}`, contributions, humans, latest: timestamp(latest) };
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
export function commonWords(key: string): string {
  const [, kind = '', value = ''] = /^([a-z]+):(.*)$/s.exec(key) ?? [];
  return Object.hasOwn(words, kind) ? (words[kind] as (value: string) => string)(value) : key;
}

const words: Readonly<Record<string, (value: string) => string>> = {
  link: (site) => `link to ${site}`,
  mail: (domain) => `come from mailboxes of ${domain}`,
  network: () => 'come from one network',
  text: () => 'have nearly the same words',
  human: (email) => `are of the human ${email}`,
  agent: () => 'are of one agent',
};
