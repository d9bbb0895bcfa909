import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Html } from '../parts/html.js';
import { type SentContext, sentEntry } from './sent-entry.js';

/** A list page of a human's contributions, newest first. */
export interface SentList {
  readonly contributions: readonly Contribution[];
  readonly total: number;
  /** The page token of older contributions; empty at the end. */
  readonly nextPageToken: string;
}

/** Shows a human's contributions. Without `list` it shows a note that they failed to load. */
export function sentPart(list: SentList | undefined, context: SentContext): Html {
  return (
    <>
      <h2 id="sent">Sent in your name</h2>
      {bodyOf(list, context)}
    </>
  );
}

function bodyOf(list: SentList | undefined, context: SentContext): Html {
  if (list === undefined) {
    return <p>This list cannot be shown right now. Please load the page again in a minute.</p>;
  }
  const { contributions, total, nextPageToken } = list;
  if (contributions.length === 0) return <p class="soft">Nothing{total > 0 && ' more'}.</p>;
  const older = `?${new URLSearchParams({ key: context.key, older: nextPageToken })}#sent`;
  return (
    <>
      <ul class="entries">
        {contributions.map((each) => (
          <li>{sentEntry(each, context)}</li>
        ))}
      </ul>
      {nextPageToken !== '' && (
        <p>
          <a href={older}>Older ones</a> ({total} in all)
        </p>
      )}
    </>
  );
}
