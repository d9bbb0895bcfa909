import { type Block, differenceOf, type Words } from '@knowledge/runtime/difference';
import type { Fragment, Html } from '@knowledge/runtime/html';
import type { ContributionView } from '../../present/contribution.js';
import { timeOf, words } from '../layout/values.js';
import { marked, theirs } from './texts.js';

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
          {timeOf(change.changed_at)} {theirs(change.reason ?? '')}
        </p>
        {change.before === null ? (
          <p>The text before is not kept.</p>
        ) : (
          (['title', 'name', 'body'] as const).map((field) =>
            difference(field, change.before?.[field] ?? '', after[field] ?? ''),
          )
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

function difference(field: string, before: string, after: string): Fragment {
  if (before === after) return undefined;
  const hunks = differenceOf(before, after);
  return (
    <>
      <h4>{words(field)}, before and after</h4>
      <div class="sides">
        {hunks.length === 0 && <p class="cut">Only line ends differ.</p>}
        {hunks.map(({ blocks }, at) => [at > 0 && <p class="cut">…</p>, blocks.map(block)])}
      </div>
    </>
  );
}

function block(each: Block): Html {
  if ('same' in each) {
    const text = each.same.join('\n');
    return (
      <div>
        <span dir="auto">{marked(text)}</span>
        <span dir="auto">{marked(text)}</span>
      </div>
    );
  }
  return (
    <div>
      <span dir="auto">{side(each.words, 'removed')}</span>
      <span dir="auto">{side(each.words, 'added')}</span>
    </div>
  );
}

// Words that changed stand out in a text that kept others; a screen reader hears them as removed and added.
function side(all: readonly Words[], kind: 'removed' | 'added'): Fragment {
  return all
    .filter((each) => each.in === 'both' || each.in === kind)
    .map(({ text, in: where }) => {
      if (where === 'both') return marked(text);
      return where === 'removed' ? <del>{marked(text)}</del> : <ins>{marked(text)}</ins>;
    });
}
