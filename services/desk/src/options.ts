import { InvalidArgumentError, Option } from 'commander';
import { readTime } from './read-time.js';
import { sites } from './words.js';

export function siteOption(description = 'the site'): Option {
  return new Option('--site <site>', description).choices(sites.words);
}

export function limitOption(): Option {
  return new Option('--limit <n>', 'show at most this many (default: all)').argParser(parseCount);
}

export function revisionOption(description: string): Option {
  return new Option('--revision <n>', description).argParser(parseCount);
}

/** Parses a whole number from 1. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}

export function reasonOption(description = 'why, stored with the change; readers never see it'): Option {
  return new Option('--reason <text>', description).default('');
}

/** The option `--reason` for a change that support makes to a token or authorization. */
export function supportReasonOption(): Option {
  return reasonOption('why; stored with the change, in no mail, but in an export of the person');
}

/** The option `--reason` for reading the data of a person. */
export function lookReasonOption(): Option {
  return reasonOption('why you look at the data; stored with your name');
}

/** The option `--reason` for a change whose mail to the human does not contain the reason. */
export function noteOption(): Option {
  return reasonOption('why, stored with the change; only moderators see it');
}

/** Parses a time in RFC 3339, or a date, which means midnight UTC. */
export function parseTime(value: string): Date {
  const time = readTime(value);
  if (time === undefined) throw new InvalidArgumentError('Give a time like 2026-06-01T09:00:00Z, or a date.');
  return time;
}
