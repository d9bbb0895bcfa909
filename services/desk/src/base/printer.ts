import { spawnSync } from 'node:child_process';
import type { Host, Output } from './host.js';
import { type Columns, formatTable } from './table.js';
import { count, createPaint, type Paint, terminalSafeJson, terminalSafeText } from './text.js';

/** The words for the items of a list. */
interface ListLabels {
  /** The singular, for example `article`. */
  readonly one: string;
  /** The text for an empty list, in place of `No articles.` */
  readonly none?: string | undefined;
  /** Whether the list was cut at its limit, so that its length is not the total number. */
  readonly cut?: boolean;
}

/** Prints the result of a command: text and tables for people, JSON for programs. */
export class Printer {
  private readonly paint: Paint;

  constructor(
    private readonly host: Pick<Host, 'stdin' | 'stdout' | 'stderr' | 'env'>,
    readonly json: boolean,
  ) {
    this.paint = createPaint(host.stdout, host.env);
  }

  /** Prints a JSON array, or a table. On a terminal it also prints the number of items. */
  list<Item>(items: readonly Item[], columns: Columns<Item>, { one, none, cut }: ListLabels): void {
    const { isTTY, columns: width = 80 } = this.host.stdout;
    if (this.json) this.out(terminalSafeJson(items, 2));
    else if (items.length === 0) this.out(none ?? `No ${one}s.`);
    else if (!isTTY) this.out(formatTable(items, columns, undefined));
    else {
      const total = cut ? '' : `\n${count(items.length, one)}`;
      this.show(formatTable(items, columns, width, this.paint) + this.paint.quiet(total));
    }
  }

  /** Prints a text, or a JSON object. */
  result<Thing extends object>(thing: Thing, text: (thing: Thing, paint: Paint) => string): void {
    if (this.json) this.out(terminalSafeJson(thing, 2));
    else this.show(text(thing, this.paint));
  }

  /** Prints one event of a stream, as one line of text or JSON. */
  event<Event extends object>(event: Event, text: (event: Event) => string): void {
    this.out(this.json ? terminalSafeJson(event) : text(event));
  }

  /** Prints a note for people on standard error. With `--json` it prints nothing. */
  note(text: string): void {
    if (!this.json) this.host.stderr.write(`${terminalSafeText(text)}\n`);
  }

  private show(text: string) {
    if (!showInPager(text, this.host)) this.out(text);
  }

  private out(text: string) {
    this.host.stdout.write(`${text}\n`);
  }
}

/**
 * Shows a text in `$PAGER`, or in `less -FRX`, if the text is longer than the terminal. Returns false if the caller
 * must print the text: the text is short, or there is no terminal or no pager.
 */
function showInPager(text: string, { stdin, stdout, env }: Pick<Host, 'stdin' | 'stdout' | 'env'>) {
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

function lineCount(text: string, columns: number) {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

/** Shows the progress of a long command on standard error. A terminal rewrites one line; other outputs get a line for every 10 %. */
export function createProgress(stderr: Output, what: string, total: number) {
  let done = 0;
  let printedTenths = 0;
  const isTerminal = stderr.isTTY === true;
  return {
    step: (by = 1) => {
      done += by;
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
