import { comparedNames } from '@knowledge/runtime/product';
import { changedField, differenceOfTexts, formatDifference, type TextDifference } from '../base/difference.js';
import { type Paint, terminalSafeLine } from '../base/text.js';
import { readableTime } from '../base/time.js';
import type { ContributionView } from './contribution.js';

type ContributionText = Pick<ContributionView, (typeof comparedNames)[number]>;

/** Compares the texts of a contribution at two revisions. */
export function contributionDifference(before: ContributionText, after: ContributionText): TextDifference {
  const fields = comparedNames.flatMap((field) =>
    field === 'body' ? [] : changedField(field, before[field], after[field]),
  );
  return differenceOfTexts(fields, before.body, after.body);
}

/** Formats every change of the text of a contribution, oldest first, then a proposed one. Empty if it never changed. */
export function formatTextChanges(record: ContributionView, paint: Paint): string {
  const below = (heading: string, shown: string) => `\n\n${paint.heading(terminalSafeLine(heading))}\n${shown}`;
  const compared = (before: ContributionText, after: ContributionText) =>
    formatDifference(contributionDifference(before, after), 'lines', paint);
  const { text_changes: changes, proposed_edit: proposal } = record;
  const sections = changes.map(({ revision, changed_at, by, reason, before }, at) => {
    const why = reason === null ? '' : `: ${reason}`;
    const who = by === 'moderator' ? 'a moderator' : `its ${by}`;
    const heading = `Revision ${revision}, ${readableTime(changed_at)} UTC, text changed by ${who}${why}`;
    const after = changes[at + 1]?.before ?? record;
    return below(heading, before === null ? 'The text before is not kept.' : compared(before, after));
  });
  if (proposal !== null) {
    const heading = `Proposed, ${readableTime(proposal.proposed_at)} UTC, waits for its human: ${proposal.reason}`;
    sections.push(below(heading, compared(record, proposal.text)));
  }
  return sections.join('');
}
