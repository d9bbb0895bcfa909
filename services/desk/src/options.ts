import { InvalidArgumentError } from 'commander';
import { readTime } from './read-time.js';
import { sites } from './words.js';

/** The option `--site`. */
export function site(about = 'the site') {
  return { '--site <site>': { about, choices: sites.words } };
}

export const requiredSite = { '--site <site>': { about: 'the site', choices: sites.words, required: true } } as const;

export const limit = { '--limit <n>': { about: 'show at most this many (default: all)', parse: parseCount } } as const;

export const dryRun = { '--dry-run': 'show what would be imported, and import nothing' } as const;

/** The option `--reason`, empty if it is not given. */
export function reason(about = 'why, stored with the change; readers never see it') {
  return { '--reason <text>': { about, initial: '' } };
}

/** The option `--reason` without which nothing is done. */
export function requiredReason(about = 'why; stored with your name') {
  return { '--reason <text>': { about, required: true } } as const;
}

/** The option `--reason` for a change that support makes to a token or authorization. */
export const supportReason = reason('why; stored with the change, in no mail, but in an export of the person');

/** The option `--reason` for reading the data of a person. */
export const lookReason = reason('why you look at the data; stored with your name');

/** The option `--email` without which nothing is done. */
export function requiredEmail(about = 'the e-mail of the human') {
  return { '--email <address>': { about, required: true } } as const;
}

/** How an option is read that may be repeated, and has one value each time. */
export const repeated = { parse: (value: string, all: readonly string[]) => [...all, value], initial: [] };

/** Parses a whole number from 1. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}

/** Parses a time in RFC 3339, or a date, which means midnight UTC. */
export function parseTime(value: string): Date {
  const time = readTime(value);
  if (time === undefined) throw new InvalidArgumentError('Give a time like 2026-06-01T09:00:00Z, or a date.');
  return time;
}
