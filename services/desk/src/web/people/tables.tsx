import { type Fragment, type Html, minuteElement } from '@knowledge/runtime/html';

/** A column of a table of facts. */
export interface Column<Item> {
  readonly header: string;
  readonly cell: (item: Item) => Fragment;
}

/** A table below its heading; one sentence if there is nothing to show. */
export function tableOf<Item>(
  title: string,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  none: string,
): Html {
  return (
    <>
      <h2>{title}</h2>
      {items.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <section class="scroll" tabindex="0" aria-label={title}>
          <table>
            <thead>
              <tr>
                {columns.map(({ header }) => (
                  <th scope="col">{header}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr>
                  {columns.map(({ cell }) => (
                    <td>{cell(item)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** A point in time as people read it; nothing if there is none. */
export function timeOf(at: string | null): Html | undefined {
  return at === null ? undefined : minuteElement(new Date(at));
}

/** A text of a stranger, whose direction does not reach beyond it. */
export function strange(text: string | null): Html | undefined {
  return text === null || text === '' ? undefined : <bdi>{text}</bdi>;
}
