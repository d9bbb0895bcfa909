import { cellWidth, characters, type Paint, plain, terminalSafeLine, textOf, type Value } from './text.js';

/** The columns of a table, by their headers: what each shows, with how it looks if that is special. */
export type Columns<Item> = Readonly<Record<string, Value<Item> | ({ readonly value: Value<Item> } & ColumnForm)>>;

/** Columns that many tables have. */
export const idColumn = { id: { value: 'id', isId: true } } as const;
export const stateColumn = { state: { value: 'state', isState: true } } as const;

interface Column<Item> extends ColumnForm {
  readonly header: string;
  readonly value: Value<Item>;
}

/** How a column looks. */
interface ColumnForm {
  /**
   * On a narrow terminal, flexible columns become narrower before the others do. A number is the smallest width while other
   * columns can still be removed; 10 by default.
   */
  readonly flexible?: true | number;
  /**
   * The values are never shortened, because people copy them into other commands. A long value continues after the end
   * of the line, so this must be the last column.
   */
  readonly neverCut?: boolean;
  /**
   * A column with this number is removed if it is empty or the terminal is too narrow. The highest number is removed
   * first.
   */
  readonly dropPriority?: number;
  /** A field that is a number stands right by itself. */
  readonly alignRight?: boolean;
  /** The values are states, which have colours on a terminal. */
  readonly isState?: boolean;
  /** The values are UUIDs. A terminal shows only as many characters as make them different. */
  readonly isId?: boolean;
}

const gap = 2;
const defaultMinWidth = 10;
/** The width that other columns leave for the column with `neverCut`. */
const neverCutMinWidth = 24;

/** Formats a table without borders, at most `width` columns wide if `width` is given. Shortened cells end in `…`. */
export function formatTable<Item>(
  items: readonly Item[],
  byHeader: Columns<Item>,
  width: number | undefined,
  paint: Paint = plain,
): string {
  const columns = Object.entries(byHeader).map(
    ([header, column]): Column<Item> => ({ header, ...(typeof column === 'object' ? column : { value: column }) }),
  );
  const cells = columns.map((column) => cellsOf(items, column, width !== undefined));
  const shown = fittingColumns(columns, cells, width);
  const chosen = shown.map((at) => columns[at] as Column<Item>);
  const widths = widthsOf(
    naturalWidths(
      chosen,
      shown.map((at) => cells[at] ?? []),
    ),
    chosen,
    width,
  );
  const printed = chosen.map((column, place) => {
    const right = isRight(items, column);
    const printedCell = (text: string, paintText: (text: string) => string) =>
      column.neverCut && place === chosen.length - 1
        ? paintText(text)
        : fitted(text, widths[place] ?? 0, right, paintText);
    const paintCell = column.isState ? paint.state : plain.state;
    const own = cells[shown[place] ?? 0] ?? [];
    return [printedCell(column.header, paint.heading), ...own.map((cell) => printedCell(cell, paintCell))];
  });
  const line = (row: number) => printed.map((column) => column[row]).join(' '.repeat(gap));
  return Array.from({ length: items.length + 1 }, (_, row) => line(row).replace(/ +$/, '')).join('\n');
}

/** A painted text of exactly this width: filled with spaces, or cut. */
function fitted(text: string, width: number, right: boolean, paint: (text: string) => string) {
  let cut = cellWidth(text) > width ? '' : text;
  if (cut !== text) {
    for (const { segment } of characters.segment(text)) {
      if (cellWidth(cut + segment) >= width) break;
      cut += segment;
    }
    cut += '…';
  }
  const space = ' '.repeat(width - cellWidth(cut));
  const painted = paint(text).replace(text, () => cut);
  return right ? space + painted : painted + space;
}

function isRight<Item>(items: readonly Item[], { value, alignRight = false }: Column<Item>) {
  return alignRight || (typeof value === 'string' && items.every((item) => typeof item[value] === 'number'));
}

function cellsOf<Item>(items: readonly Item[], { value, isId: id }: Column<Item>, short: boolean) {
  const cells = items.map((item) => terminalSafeLine(textOf(item, value)));
  return id && short ? shortIds(cells) : cells;
}

const minIdLength = 8;

/** Shortens all ids to the same length, at which they are still different. */
function shortIds(ids: readonly string[]) {
  const different = new Set(ids).size;
  for (let length = minIdLength; length < 36; length++) {
    // A revision may follow.
    const cut = ids.map((id) => id.slice(0, length) + id.slice(36));
    if (new Set(cut).size === different) return cut;
  }
  return [...ids];
}

/** Finds the columns that are not empty and for which there is space; returns their indexes. */
function fittingColumns(
  columns: readonly (ColumnForm & { readonly header: string })[],
  cells: readonly string[][],
  width: number | undefined,
): readonly number[] {
  if (width === undefined) return columns.map((_, at) => at);
  const least = naturalWidths(columns, cells).map((natural, at) => Math.min(natural, minWidthOf(columns[at], natural)));
  let shown = columns.flatMap(({ dropPriority }, at) =>
    dropPriority !== undefined && cells[at]?.every((cell) => cell === '') ? [] : [at],
  );
  const needed = () => shown.reduce((sum, at) => sum + (least[at] ?? 0), gap * (shown.length - 1));
  while (needed() > width) {
    const [first] = shown
      .filter((at) => columns[at]?.dropPriority !== undefined)
      .sort((a, b) => (columns[b]?.dropPriority ?? 0) - (columns[a]?.dropPriority ?? 0));
    if (first === undefined) break;
    shown = shown.filter((at) => at !== first);
  }
  return shown;
}

function minWidthOf(column: ColumnForm | undefined, natural: number) {
  if (column?.neverCut) return neverCutMinWidth;
  if (column?.flexible === undefined) return natural;
  return column.flexible === true ? defaultMinWidth : column.flexible;
}

/** Finds the width of the longest cell of each column. */
function naturalWidths(columns: readonly { readonly header: string }[], cells: readonly (readonly string[])[]) {
  return columns.map(({ header }, at) =>
    (cells[at] ?? []).reduce((most, cell) => Math.max(most, cellWidth(cell)), header.length),
  );
}

/** Finds the column widths. It makes columns narrower in several steps, until the table fits. */
function widthsOf(natural: readonly number[], columns: readonly ColumnForm[], width: number | undefined) {
  const fixed = (at: number) => natural[at] ?? 0;
  const steps: ((at: number) => number)[] = [
    (at) => (columns[at]?.flexible ? minWidthOf(columns[at], fixed(at)) : fixed(at)),
    (at) => minWidthOf(columns[at], fixed(at)),
    (at) => (columns[at]?.flexible ? 3 : minWidthOf(columns[at], fixed(at))),
    // The last step makes every column narrower except ids.
    (at) => (columns[at]?.isId ? fixed(at) : 3),
  ];
  return steps.reduce<readonly number[]>((widths, least) => {
    const over = widths.reduce((sum, each) => sum + each, gap * (columns.length - 1)) - (width ?? Infinity);
    return over > 0 ? shrink(widths, over, least) : widths;
  }, natural);
}

/** Reduces the widths by `over` in sum. It always takes from the widest column, and respects each minimum. */
function shrink(widths: readonly number[], over: number, leastOf: (at: number) => number) {
  const result = [...widths];
  for (let left = over; left > 0; left--) {
    let widest = -1;
    for (const [at, each] of result.entries()) {
      if (each > leastOf(at) && each > (result[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    result[widest] = (result[widest] ?? 0) - 1;
  }
  return result;
}
