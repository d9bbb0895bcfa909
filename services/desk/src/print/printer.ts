import type { Host } from '../host.js';
import { cleanJson, cleanText } from './clean.js';
import { createPaint, type Paint } from './paint.js';
import { type Column, formatTable } from './table.js';

/** The result of a command: text and tables for people, JSON for programs. */
export interface Printer {
  readonly json: boolean;
  /** A list: a table, or a JSON array. */
  list<Item>(items: readonly Item[], columns: readonly Column<Item>[], none: string): void;
  /** A thing or a result: text, or a JSON object. */
  thing<Thing extends object>(thing: Thing, text: (thing: Thing, paint: Paint) => string): void;
  /** One event of a stream: a line, or one JSON object on a line. */
  event<Event extends object>(event: Event, text: (event: Event) => string): void;
  /** A word to people besides the result; programs are not told. */
  note(text: string): void;
}

export function createPrinter(
  { stdout, stderr, env }: Pick<Host, 'stdout' | 'stderr' | 'env'>,
  json: boolean,
): Printer {
  const paint = createPaint(stdout, env);
  const out = (text: string): void => void stdout.write(`${text}\n`);
  return {
    json,
    list: (items, columns, none) => {
      if (json) out(cleanJson(items, 2));
      else if (items.length === 0) out(none);
      else out(formatTable(items, columns, stdout.isTTY ? stdout.columns : undefined, paint));
    },
    thing: (thing, text) => out(json ? cleanJson(thing, 2) : text(thing, paint)),
    event: (event, text) => out(json ? cleanJson(event) : text(event)),
    note: (text) => {
      if (!json) stderr.write(`${cleanText(text)}\n`);
    },
  };
}
