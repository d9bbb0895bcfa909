import type { Fragment, Html } from '../parts/html.js';

/** A name or title in quotation marks. Its own direction does not change that of the words around it. */
export function quoted(name: string): Html {
  return (
    <>
      “<bdi>{name}</bdi>”
    </>
  );
}

/** A name in bold quotation marks. */
export function boldName(name: string): Html {
  return <strong>{quoted(name)}</strong>;
}

/** A list of what the access page shows: agents, requests, contributions. */
export function entryList(items: readonly Fragment[]): Html {
  return (
    <ul class="entries">
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}
