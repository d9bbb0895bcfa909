import type { Html } from '@knowledge/runtime/html';
import { contributionDifference } from '../../difference/contribution-difference.js';
import type { ContributionView } from '../../present/contribution.js';
import { sideBySide } from '../difference/side-by-side.js';
import { strange, timeOf, words } from '../layout/values.js';

/** What changed between the texts of a contribution, the newest change first, with both texts side by side. */
export function textChanges(item: ContributionView): Html | undefined {
  const { text_changes: changes } = item;
  if (changes.length === 0) return undefined;
  const shown = changes.map((change, at) => {
    const after = changes[at + 1]?.before ?? item;
    return (
      <details open={at === changes.length - 1}>
        <summary>
          By {change.by}: {change.fields.map(words).join(', ')}
        </summary>
        <p class="small">
          {timeOf(change.changed_at)} {strange(change.reason ?? '')}
        </p>
        {change.before === null ? (
          <p>The text before is not kept.</p>
        ) : (
          sideBySide(contributionDifference(change.before, after), 'before', 'after')
        )}
      </details>
    );
  });
  return (
    <section aria-labelledby="changes-title">
      <h3 id="changes-title">Changes of the text</h3>
      {shown.reverse()}
    </section>
  );
}
