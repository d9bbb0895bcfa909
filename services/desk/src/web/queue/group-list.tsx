import type { Html } from '@knowledge/runtime/html';
import { commonWords, type GroupView } from '../../actions/records.js';
import { count } from '../../print/text.js';
import { strange } from '../layout/values.js';
import { type QueueFilter, writeFilter } from './filter.js';

/** How many groups stand above the list. */
const mostShown = 6;

export function groupPath(key: string): string {
  return `/queue/groups?${new URLSearchParams({ key })}`;
}

/** What waiting texts have in common, above the list; nothing without any. `more` counts those that the service left out. */
export function groupList(groups: readonly GroupView[], more: number, filter: QueueFilter): Html | undefined {
  // The address of a page has no address of a person. An agent alone is shown when no wave hides it.
  const waves = groups.filter(({ key }) => !/^(?:human|agent):/.test(key));
  const shown = waves.length > 0 ? waves : groups.filter(({ key }) => key.startsWith('agent:'));
  if (shown.length === 0) return undefined;
  const hidden = shown.slice(mostShown);
  return (
    <details class="groups" open>
      <summary>In common</summary>
      {links(shown.slice(0, mostShown))}
      {hidden.length > 0 && (
        <details>
          <summary>{count(hidden.length, 'more group')}</summary>
          {links(hidden)}
          {more > 0 && <p class="small">{more} smaller ones show when these are decided.</p>}
        </details>
      )}
      {filter.group !== 'none' && (
        <a href={`/queue${writeFilter(filter, { group: 'none', page: '' })}`}>Show only what is in no wave</a>
      )}
    </details>
  );
}

function links(groups: readonly GroupView[]): Html {
  return (
    <ul>
      {groups.map(({ key, contributions, humans }) => (
        <li>
          <a href={groupPath(key)} hx-boost="false">
            {count(contributions, 'text')} of {count(humans, 'human')} {strange(commonWords(key))}
          </a>
        </li>
      ))}
    </ul>
  );
}
