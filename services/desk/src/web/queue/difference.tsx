import type { Html } from '@knowledge/runtime/html';
import { contributionDifference } from '../../difference.js';
import type { ContributionView } from '../../present/contribution.js';
import { sideBySide } from '../difference/side-by-side.js';
import { strange, timeOf, words } from '../layout/values.js';

/** What changed between the texts of a contribution, the newest change first, with both texts side by side. */
export function textChanges(item: ContributionView): Html | undefined {
  const { text_changes: changes, proposed_edit: proposal } = item;
  const edits: Edit[] = changes.map(({ by, fields, changed_at, reason, before }, at) => ({
    summary: `By ${by}: ${fields.map(words).join(', ')}`,
    at: changed_at,
    reason,
    before,
    after: changes[at + 1]?.before ?? item,
  }));
  if (proposal !== null) {
    const { proposed_at: at, reason, text } = proposal;
    edits.push({ summary: 'Proposed: it waits for the yes of its human', at, reason, before: item, after: text });
  }
  if (edits.length === 0) return undefined;
  const shown = edits.map(({ summary, at, reason, before, after }, place) => (
    <details open={place === edits.length - 1}>
      <summary>{summary}</summary>
      <p class="small">
        {timeOf(at)} {strange(reason ?? '')}
      </p>
      {before === null ? (
        <p>The text before is not kept.</p>
      ) : (
        sideBySide(contributionDifference(before, after), 'before', 'after')
      )}
    </details>
  ));
  return (
    <section aria-labelledby="changes-title">
      <h3 id="changes-title">Changes of the text</h3>
      {shown.reverse()}
    </section>
  );
}

type Text = Parameters<typeof contributionDifference>[0];

interface Edit {
  readonly summary: string;
  readonly at: string | null;
  readonly reason: string | null;
  readonly before: Text | null;
  readonly after: Text;
}
