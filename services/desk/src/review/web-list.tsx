import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { outcomeOf, titleOf, typeOf } from '../base/contribution-words.js';
import { age } from '../base/time.js';
import { type ContributionView, unusualOf } from '../contributions/contribution.js';
import type { GroupView } from '../contributions/records.js';
import { selectField, siteTitle, strange, textField, words } from '../pages/index.js';
import { groupList } from './web-groups.js';
import { fields, itemPath, type QueueCounts, type QueueFilter, waiting, writeFilter } from './web-read-queue.js';

/** What the list beside the open item shows. */
export interface ListView {
  readonly filter: QueueFilter;
  readonly entries: readonly ContributionView[];
  /** The token of the next page; empty at the end. */
  readonly nextPage: string;
  readonly counts: QueueCounts;
  /** What waiting texts have in common. */
  readonly groups: readonly GroupView[];
  /** How many more groups there are. */
  readonly moreGroups: number;
  /** The id of the open item. */
  readonly open: string | undefined;
  /** Whether the staff member may open an item. Support may only list them. */
  readonly canOpen: boolean;
}

/** The filters, the entries and the way to the next page. */
export function queueList(view: ListView): Html {
  const { filter, entries, nextPage, counts, groups } = view;
  return (
    <section class="list" aria-labelledby="list-title">
      <h2 id="list-title">{filter.state === waiting ? 'Waiting for review' : words(filter.state)}</h2>
      {countLine(counts)}
      {view.canOpen && groupList(groups, view.moreGroups, filter)}
      {filterForm(filter)}
      <p id="news" data-state={filter.state} hidden>
        <a href={`/queue${writeFilter(filter, { page: '' })}`}>Show what is new</a>
      </p>
      {entries.length === 0 ? (
        <p class="soft">Nothing is here.</p>
      ) : (
        <ol>{entries.map((each) => entry(each, view))}</ol>
      )}
      <p class="pages">
        {filter.page !== '' && <a href={`/queue${writeFilter(filter, { page: '' })}`}>First page</a>}
        {nextPage !== '' && (
          <a rel="next" href={`/queue${writeFilter(filter, { page: nextPage })}`}>
            Next page
          </a>
        )}
      </p>
    </section>
  );
}

/** Whether something about the text was found. That a human is new, or a text has one link, is none. */
export function needsCloseLook({ checks, duplicate_of }: ContributionView): boolean {
  return duplicate_of !== null || checks.some(({ weight }) => weight >= 10);
}

function entry(view: ContributionView, { filter, open, canOpen }: ListView) {
  const { id, site, state, language, held } = view;
  const title = <span lang={languageTag(language ?? undefined)}>{strange(titleOf(view))}</span>;
  const marks = marksOf(view);
  return (
    <li class={held === null ? undefined : 'held'}>
      {canOpen ? (
        <a href={itemPath(id, filter)} aria-current={id === open && 'true'} data-item={id}>
          {title}
        </a>
      ) : (
        title
      )}
      <p class="small">
        {words(typeOf(view))} · {siteTitle(site)} · sent {age(view.submitted_at)} ago · {strange(view.agent_name)}
        {state !== filter.state && ` · ${words(state)}`}
        {marks.map((mark) => [' ', <span class="mark">{mark}</span>])}
      </p>
      {held !== null && (
        <p class="small held-by">
          {strange(outcomeOf(held.decision))} by {strange(held.actor)}, not yet in effect
        </p>
      )}
    </li>
  );
}

// Marks show only unusual facts, so that most contributions have none.
function marksOf(view: ContributionView): Fragment[] {
  return [
    view.text_changes.at(-1)?.by === 'agent' && 'new text',
    needsCloseLook(view) && view.risk > 0 && `risk ${view.risk}`,
    ...unusualOf(view),
  ].filter((mark) => mark !== false);
}

function countLine({ total, atLeast, byType }: QueueCounts) {
  const types = [...byType].map(([type, count]) => `${words(type)} ${count}`);
  const all = `${atLeast ? 'at least ' : ''}${total}`;
  return <p class="small counts">{[all, ...(types.length > 1 ? types : [])].join(' · ')}</p>;
}

function filterForm(filter: QueueFilter) {
  const isUsual = writeFilter(filter, { page: '' }) === '';
  return (
    <details class="filter" open={!isUsual}>
      <summary data-key="/" aria-keyshortcuts="/">
        Filter
      </summary>
      <form class="filters" method="get" action="/queue">
        {filter.group !== '' && <input type="hidden" name="group" value={filter.group} />}
        {fields.map(([name, { label, choices, most }]) => {
          // The forms of the open item have fields of the same names.
          const field = { id: `f-${name}`, name, value: filter[name] };
          if (label === undefined) return undefined;
          return choices ? selectField({ ...field, label, choices }) : textField({ ...field, label, maxlength: most });
        })}
        <p>
          <button>Show</button> {!isUsual && <a href="/queue">Everything that waits</a>}
        </p>
      </form>
    </details>
  );
}
