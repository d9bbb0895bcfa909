import type { Fragment, Html } from '@knowledge/runtime/html';

/** A column of a table. */
export interface Column<Item> {
  readonly header: string;
  readonly cell: (item: Item, at: number) => Fragment;
  /** Whether its cells are numbers, which are compared by their ends. */
  readonly isNumber?: boolean;
}

/** Makes columns of their headers and cells. The cells of `numbers` are numbers. */
export function columnsOf<Item>(
  cells: Readonly<Record<string, Column<Item>['cell']>>,
  ...numbers: readonly string[]
): readonly Column<Item>[] {
  return Object.entries(cells).map(([header, cell]) => ({ header, cell, isNumber: numbers.includes(header) }));
}

/** A table that scrolls by itself on narrow screens; one sentence if there is nothing to show. */
export function tableOf<Item>(
  label: string,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  none: string,
): Html {
  if (items.length === 0) return <p class="soft">{none}</p>;
  return (
    <section class="scroll" tabindex="0" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ header }) => (
              <th scope="col">{header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => (
            <tr>
              {columns.map(({ cell, isNumber }) => (
                <td class={isNumber ? 'right' : undefined}>{cell(item, at)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A table below its heading. */
export function titledTable<Item>(...[title, ...parts]: Parameters<typeof tableOf<Item>>): Html {
  return (
    <>
      <h2>{title}</h2>
      {tableOf(title, ...parts)}
    </>
  );
}

/** A link to the next page of a list; nothing on the last one. `query` names that page. */
export function moreLink(
  label: string,
  path: string,
  query: Readonly<Record<string, string>>,
  token: string,
): Fragment {
  if (token === '') return undefined;
  return (
    <p>
      <a href={`${path}?${new URLSearchParams(query)}`}>{label}</a>
    </p>
  );
}
