import Table from 'cli-table3';
import { cleanLine } from './clean.js';
import { type Paint, plain } from './paint.js';

/** One column of a table. */
export interface Column<Item> {
  readonly header: string;
  readonly value: (item: Item) => string | number;
  /** It gives way first when the terminal is narrow. */
  readonly flexible?: boolean;
  readonly right?: boolean;
  /** Its values are states, which a terminal colours. */
  readonly state?: boolean;
}

const gap = 2;
const narrowest = 10;

/** A table without lines, no wider than `width` where that can be; a cell that is cut ends in `…`. */
export function formatTable<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  width: number | undefined,
  paint: Paint = plain,
): string {
  const rows = items.map((item) => columns.map((column) => cleanLine(String(column.value(item)))));
  const table = new Table({
    head: columns.map((column) => paint.heading(column.header)),
    colWidths: widthsOf(rows, columns, width),
    colAligns: columns.map((column) => (column.right ? 'right' : 'left')),
    chars: borderless,
    truncate: '…',
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(...rows.map((row) => row.map((cell, at) => (columns[at]?.state ? paint.state(cell) : cell))));
  return table.toString().replace(/ +$/gm, '');
}

/** The widths of the flexible columns, when all of it does not fit; `null` is as wide as it needs. */
function widthsOf(
  rows: readonly string[][],
  columns: readonly Column<never>[],
  width: number | undefined,
): (number | null)[] {
  const natural = columns.map(({ header }, at) => Math.max(header.length, ...rows.map((row) => cells(row[at] ?? ''))));
  const none = columns.map(() => null);
  if (width === undefined) return none;
  const flexible = columns.map((column, at) => (column.flexible ? at : -1)).filter((at) => at >= 0);
  const total = natural.reduce((sum, each) => sum + each, 0) + gap * (columns.length - 1);
  if (total <= width || flexible.length === 0) return none;
  const wanted = flexible.reduce((sum, at) => sum + (natural[at] ?? 0), 0);
  const left = wanted - (total - width);
  return columns.map(({ flexible: gives }, at) => {
    if (!gives) return null;
    const own = natural[at] ?? 0;
    return Math.min(own, Math.max(narrowest, Math.floor((own * left) / wanted)));
  });
}

// Wide characters take two columns; close enough to decide what gets how much, the cut itself is exact.
function cells(text: string): number {
  let count = 0;
  for (const character of text) count += wide.test(character) ? 2 : 1;
  return count;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

const lines = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
] as const;
const sides = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const;
const borderless = {
  ...(Object.fromEntries([...lines, ...sides].map((name) => [name, ''])) as Record<
    (typeof lines)[number] | (typeof sides)[number],
    string
  >),
  middle: ' '.repeat(gap),
};
