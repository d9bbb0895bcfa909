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

/** The changes of the text of a contribution, oldest first, then a proposed one, which nobody has made yet. */
export function editsOf(item: ContributionView) {
  const { text_changes: changes, proposed_edit: proposal } = item;
  const made = changes.map((change, place) => ({
    ...change,
    at: change.changed_at,
    after: changes[place + 1]?.before ?? item,
  }));
  if (proposal === null) return made;
  const { proposed_at: at, reason, text } = proposal;
  return [...made, { by: null, revision: 0, fields: [], at, reason, before: item, after: text }];
}

/** Formats every change of the text of a contribution. Empty if it never changed. */
export function formatTextChanges(record: ContributionView, paint: Paint): string {
  const sections = editsOf(record).map(({ by, revision, at, reason, before, after }) => {
    const time = `${readableTime(at)} UTC`;
    const why = reason === null ? '' : `: ${reason}`;
    const who = by === 'moderator' ? 'a moderator' : `its ${by}`;
    const heading =
      by === null
        ? `Proposed, ${time}, waits for its human${why}`
        : `Revision ${revision}, ${time}, text changed by ${who}${why}`;
    const shown =
      before === null
        ? 'The text before is not kept.'
        : formatDifference(contributionDifference(before, after), 'lines', paint);
    return `\n\n${paint.heading(terminalSafeLine(heading))}\n${shown}`;
  });
  return sections.join('');
}
