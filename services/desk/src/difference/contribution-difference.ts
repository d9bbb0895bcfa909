import { changedBlock, differenceOf } from '@knowledge/runtime/difference';
import type { ContributionView } from '../present/contribution.js';
import type { Paint } from '../print/paint.js';
import { terminalSafeLine } from '../print/terminal-safe.js';
import { readableTime } from '../print/time.js';
import type { ArticleDifference } from './article-difference.js';
import { formatDifference } from './format-difference.js';

/** The text of a contribution at one revision. */
type ContributionText = Pick<ContributionView, 'title' | 'body' | 'name'>;

/** Formats every change of the text of a contribution, oldest first, then a proposed one. Empty if it never changed. */
export function formatTextChanges(record: ContributionView, paint: Paint): string {
  const section = (heading: string, shown: string): string =>
    `\n\n${paint.heading(terminalSafeLine(heading))}\n${shown}`;
  const compared = (before: ContributionText, after: ContributionText): string =>
    formatDifference(contributionDifference(before, after), 'lines', paint);
  const { text_changes: changes, proposed_edit: proposal } = record;
  const sections = changes.map(({ revision, changed_at, by, reason, before }, at) => {
    const why = reason === null ? '' : `: ${reason}`;
    const who = by === 'moderator' ? 'a moderator' : `its ${by}`;
    const heading = `Revision ${revision}, ${readableTime(changed_at)} UTC, text changed by ${who}${why}`;
    const after = changes[at + 1]?.before ?? record;
    return section(heading, before === null ? 'The text before is not kept.' : compared(before, after));
  });
  if (proposal !== null) {
    const heading = `Proposed, ${readableTime(proposal.proposed_at)} UTC, waits for its human: ${proposal.reason}`;
    sections.push(section(heading, compared(record, proposal.text)));
  }
  return sections.join('');
}

/** Compares two texts of a contribution. */
export function contributionDifference(before: ContributionText, after: ContributionText): ArticleDifference {
  const fields = (['title', 'name'] as const).flatMap((field): ArticleDifference['fields'] => {
    const [from, to] = [before[field], after[field]];
    return from === to ? [] : [{ field, from, to, block: changedBlock(linesOf(from), linesOf(to)) }];
  });
  return { fields, hasOtherBody: before.body !== after.body, hunks: differenceOf(before.body, after.body) };
}

function linesOf(value: string | null): string[] {
  return value === null ? [] : [value];
}
