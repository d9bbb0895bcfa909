import type { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { recordFilter } from '../../actions/review/record-filter.js';
import { parseTime, siteOption } from '../../options.js';
import { contributionStates, contributionTypes, inquiryPurposes } from '../../present/contribution.js';

/** The options with which moderators select contributions. */
export interface FilterOptions {
  state?: string[];
  all?: boolean;
  type?: string[];
  purpose?: string;
  site?: string;
  language?: string;
  agent?: string;
  email?: string;
  after?: Date;
  before?: Date;
  olderThan?: Date;
  query?: string;
  group?: string;
}

/** Adds the options to `review list` and `review count`. */
export function addFilterOptions(command: Command): Command {
  return command
    .addOption(new Option('--state <state...>', 'in one of these states').choices(contributionStates.words))
    .addOption(new Option('--all', 'in any state').conflicts('state'))
    .addOption(new Option('--type <type...>', 'only these types').choices(contributionTypes.words))
    .addOption(new Option('--purpose <purpose>', 'only inquiries with this purpose').choices(inquiryPurposes.words))
    .addOption(siteOption('only this site'))
    .option('--language <tag>', 'only in this language, such as de')
    .option('--agent <name>', 'only of the agent with this name')
    .option('--email <address>', 'only of the person with this e-mail, in upper or lower case')
    .addOption(new Option('--after <time>', 'only those sent at this time or later').argParser(parseTime))
    .addOption(new Option('--before <time>', 'only those sent before this time').argParser(parseTime))
    .addOption(
      new Option('--older-than <time>', 'only those sent longer ago, such as 12h or 3d')
        .argParser(parseAge)
        .conflicts('before'),
    )
    .option('--query <words>', 'only those with all these words in title, text, name or prompt question')
    .option('--group <key>', 'only those of this group of "review groups"; none for those of no wave');
}

/** Makes the filter of a call. Without `--state` and `--all` it selects what waits for review. */
export function filterOf(options: FilterOptions): ContributionFilter {
  const { all = false, state = ['pending_review'], type, after, before, olderThan, ...rest } = options;
  return recordFilter({ ...rest, states: all ? [] : state, types: type, since: after, before: before ?? olderThan });
}

function parseAge(value: string): Date {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([hdw])$/.exec(value) ?? [];
  const hours = { h: 1, d: 24, w: 168 }[unit];
  if (count === undefined || hours === undefined) throw new InvalidArgumentError('Give a time such as 12h, 3d or 2w.');
  return new Date(Date.now() - Number(count) * hours * 3_600_000);
}
