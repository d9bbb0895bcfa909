import { InvalidArgumentError, Option } from 'commander';
import { sites } from './words.js';

/** `--site io|org`. */
export function siteOption(description = 'the site'): Option {
  return new Option('--site <site>', description).choices(sites.words);
}

/** `--limit N` of a list. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'at most so many (default: all)').argParser(parseCount);
}

/** A number of things: a whole number from 1. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}

/** `--reason TEXT`, stored with the change. */
export function reasonOption(description = 'why, stored with the change; readers never see it'): Option {
  return new Option('--reason <text>', description).default('');
}

/** `--reason TEXT` of what support does to an access. */
export function supportReasonOption(): Option {
  return reasonOption('why, stored with the change; no mail tells it, an export of the person does');
}

/** `--reason TEXT` of a look at a person's data. */
export function lookReasonOption(): Option {
  return reasonOption('why you look; stored with who asked');
}

/** `--reason TEXT` of a change that its human is told of, but not why. */
export function noteOption(): Option {
  return reasonOption('why, stored with the change; only moderators see it');
}

/** A point in time: RFC 3339, or a date, which is its midnight in UTC. */
export function parseTime(value: string): Date {
  const time = readTime(value);
  if (time === undefined) throw new InvalidArgumentError('Give a time like 2026-06-01T09:00:00Z, or a date.');
  return time;
}

/** A point in time as people write it, else `undefined`. A time without a zone is UTC. */
export function readTime(value: string): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
    value.trim(),
  );
  if (match === null) return undefined;
  const [, day = '', minute = '00:00', second = ':00', zone = 'Z'] = match;
  const time = new Date(`${day}T${minute}${second}${zone.toUpperCase()}`);
  // Date takes the 30th of February for the 2nd of March.
  if (Number.isNaN(time.getTime()) || !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return undefined;
  return time;
}
