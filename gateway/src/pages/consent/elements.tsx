import type { Fragment, Html } from '@knowledge/runtime/html';

/** A name or title in quotation marks. If it is Arabic or Hebrew, the words around it keep their order. */
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
