import type { Host } from '../host.js';
import { count } from './count.js';
import { showInPager } from './pager.js';
import { createPaint, type Paint } from './paint.js';
import { type Column, formatTable } from './table.js';
import { terminalSafeJson, terminalSafeText } from './terminal-safe.js';

/** The words for the items of a list. */
export interface ListLabels {
  /** The singular, for example `article`. */
  readonly one: string;
  readonly many?: string;
  /** The text for an empty list, in place of `No articles.` */
  readonly none?: string;
  /** Whether the list was cut at its limit, so that its length is not the total number. */
  readonly cut?: boolean;
}

/** Prints the result of a command: text and tables for people, JSON for programs. */
export interface Printer {
  readonly json: boolean;
  /** Prints a JSON array, or a table. On a terminal it also prints the number of items. */
  list<Item>(items: readonly Item[], columns: readonly Column<Item>[], noun: ListLabels): void;
  /** Prints a text, or a JSON object. */
  result<Thing extends object>(thing: Thing, text: (thing: Thing, paint: Paint) => string): void;
  /** Prints one event of a stream, as one line of text or JSON. */
  event<Event extends object>(event: Event, text: (event: Event) => string): void;
  /** Prints a note for people on standard error. With `--json` it prints nothing. */
  note(text: string): void;
}

export function createPrinter(host: Pick<Host, 'stdin' | 'stdout' | 'stderr' | 'env'>, json: boolean): Printer {
  const { stdout, stderr, env } = host;
  const paint = createPaint(stdout, env);
  const out = (text: string): void => void stdout.write(`${text}\n`);
  const show = (text: string): void => {
    if (!showInPager(text, host)) out(text);
  };
  return {
    json,
    list: (items, columns, noun) => {
      if (json) out(terminalSafeJson(items, 2));
      else if (items.length === 0) out(noun.none ?? `No ${noun.many ?? `${noun.one}s`}.`);
      else if (!stdout.isTTY) out(formatTable(items, columns, undefined));
      else show(formatTable(items, columns, stdout.columns ?? 80, paint) + paint.quiet(total(items.length, noun)));
    },
    result: (thing, text) => (json ? out(terminalSafeJson(thing, 2)) : show(text(thing, paint))),
    event: (event, text) => out(json ? terminalSafeJson(event) : text(event)),
    note: (text) => {
      if (!json) stderr.write(`${terminalSafeText(text)}\n`);
    },
  };
}

function total(number: number, { one, many, cut }: ListLabels): string {
  return cut ? '' : `\n${count(number, one, many)}`;
}
