import { spawnSync } from 'node:child_process';
import type { Host, Output } from '../host.js';
import { createPaint, type Paint } from './paint.js';
import { type Column, formatTable } from './table.js';
import { count, terminalSafeJson, terminalSafeText } from './text.js';

/** The words for the items of a list. */
interface ListLabels {
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

/**
 * Shows a text in `$PAGER`, or in `less -FRX`, if the text is longer than the terminal. Returns false if the caller
 * must print the text: the text is short, or there is no terminal or no pager.
 */
function showInPager(text: string, { stdin, stdout, env }: Pick<Host, 'stdin' | 'stdout' | 'env'>): boolean {
  const pager = (env.PAGER ?? 'less -FRX').trim();
  if (!stdin.isTTY || !stdout.isTTY || pager === '' || pager === 'cat' || env.TERM === 'dumb') return false;
  if (lineCount(text, stdout.columns ?? 80) < (stdout.rows ?? Number.POSITIVE_INFINITY)) return false;
  const { status } = spawnSync('/bin/sh', ['-c', pager], {
    input: `${text}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, LESS: env['LESS'] ?? 'FRX' },
  });
  // The exit codes 126 and 127 mean that the shell could not start the pager.
  return status !== null && status !== 126 && status !== 127;
}

function lineCount(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

/** Shows the progress of a long command on standard error. */
interface Progress {
  step(): void;
  end(): void;
}

/** Makes a progress line. A terminal rewrites one line; other outputs get a line for every 10 %. */
export function createProgress(stderr: Output, what: string, total: number): Progress {
  let done = 0;
  let printedTenths = 0;
  const isTerminal = stderr.isTTY === true;
  return {
    step: () => {
      done++;
      const tenth = Math.floor((done * 10) / total);
      if (isTerminal) stderr.write(`\r\u001b[K${done} of ${total} ${what}`);
      else if (tenth > printedTenths) stderr.write(`${done} of ${total} ${what}\n`);
      printedTenths = tenth;
    },
    end: () => {
      if (isTerminal && done > 0) stderr.write('\r\u001b[K');
    },
  };
}
