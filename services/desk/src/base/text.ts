import { styleText } from 'node:util';
import type { Environment } from '@knowledge/runtime/client';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import type { Output } from './host.js';
import { readableTime } from './time.js';

// Strangers write much of the text that the desk prints. Their control characters could change the terminal, and bidi
// marks could reorder the text.
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes text safe for one line or table cell: without line breaks and hidden characters. Control and bidi characters are replaced. */
export function terminalSafeLine(text: string): string {
  return withoutHiddenCharacters(
    text.replace(/\s+/g, (run) => (/[\r\n\t\u2028\u2029]/.test(run) ? ' ' : run)).replace(controls, '\ufffd'),
    'kept',
  ).trim();
}

/** Makes text of several lines safe, as `terminalSafeLine` does, but keeps line breaks and tabs. */
export function terminalSafeText(text: string): string {
  const shown = text.replace(/\r\n?/g, '\n').replace(controls, (found) => (/[\n\t]/.test(found) ? found : '\ufffd'));
  return withoutHiddenCharacters(shown, 'kept');
}

/** A word of the protocol for people: `pending_review` is `pending review`. */
export function words(text: string): string {
  return text.replaceAll('_', ' ');
}

/** Writes JSON; if `indent` is undefined, on one line. Escapes characters that could change the terminal, or that nobody sees. */
export function terminalSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu,
    (found) =>
      found
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}

/** Breaks lines between words so that they fit a width. Does not change fenced code and long words. */
export function wrapText(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  let fenced = false;
  return text
    .split('\n')
    .flatMap((line) => {
      const isFence = /^\s*(```|~~~)/.test(line);
      if (isFence) fenced = !fenced;
      return isFence || fenced ? [line] : wrapLine(line, width);
    })
    .join('\n');
}

// Breaks one line. The continuation lines get the same indentation.
function wrapLine(line: string, width: number) {
  if (cellWidth(line) <= width) return [line];
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const word of line.trim().split(/\s+/)) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && cellWidth(longer) > width) {
      lines.push(current);
      current = indent + word;
    } else current = longer;
  }
  return [...lines, current];
}

/** What is shown of a thing: a field by its name, or what a function makes of it. A field `…_at` is a time. */
export type Value<Item> = FieldOf<Item> | ((item: Item) => string | number | null | undefined);

type FieldOf<Item> = {
  [Name in keyof Item & string]-?: Item[Name] extends string | number | null ? Name : never;
}[keyof Item & string];

/** A value as people read it; `-` if there is none. */
export function textOf<Item>(item: Item, value: Value<Item>): string {
  if (typeof value === 'function') return String(value(item) ?? '-');
  const found: unknown = item[value];
  return value.endsWith('_at') ? readableTime(found as string | null) : String(found ?? '-');
}

/** The lines with details of a thing, by their labels. */
export type Lines<Item> = Readonly<Record<string, Value<Item>>>;

/** Formats details of a thing: a label and a value on each line. Leaves out empty values. */
export function formatDetails<Item>(item: Item, lines: Lines<Item>, paint: Paint = plain): string {
  const all = Object.entries(lines).map(([label, value]) => [label, textOf(item, value)] as const);
  const shown = all.filter(([, text]) => text !== '' && text !== '-');
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown
    .map(([label, value]) => `${paint.quiet(label.padEnd(width))}  ${shownValue(label, value, paint, width + gap)}`)
    .join('\n');
}

const gap = 2;

function shownValue(label: string, value: string, paint: Paint, indent: number) {
  const text = terminalSafeLine(value);
  if (label === 'state') return paint.state(text);
  const wrapped = wrapText(text, paint.width && Math.max(20, paint.width - indent));
  return wrapped.replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Formats a text with indentation below a heading; empty if the text is empty. */
export function formatText(heading: string, text: string, { width }: Paint = plain): string {
  if (text === '') return '';
  const shown = wrapText(terminalSafeText(text), width && width - gap)
    .replace(/\n+$/, '')
    .replace(/^(?=.)/gm, '  ');
  return `\n\n${heading}\n${shown}`;
}

/** Writes a number with its noun, for example `1 token` or `2 tokens`. */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** Splits a text into what readers see as single characters, such as a letter with its marks. */
export const characters = new Intl.Segmenter();

/** Estimates the number of terminal columns that a text needs. Wide characters and emoji need two, marks none. */
export function cellWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of characters.segment(text)) {
    if (emoji.test(segment)) width += 2;
    else for (const character of segment.replace(/[\p{Mn}\u200d]/gu, '')) width += wide.test(character) ? 2 : 1;
  }
  return width;
}

const emoji = /\p{Emoji_Presentation}|\ufe0f/u;
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/;

/** Adds colours and bold to text for a terminal. Without a terminal the text does not change. */
export interface Paint {
  heading(text: string): string;
  quiet(text: string): string;
  failure(text: string): string;
  removed(text: string): string;
  added(text: string): string;
  /** Makes a part of a line stand out. */
  marked(text: string): string;
  /** Colours a state: green for good, yellow for attention needed, red for failed, dim for ended. */
  state(word: string): string;
  /** The number of columns of the terminal; undefined without a terminal. */
  readonly width: number | undefined;
}

/** Makes a `Paint`. It has colours only on a terminal without `NO_COLOR` and without `TERM=dumb`. */
export function createPaint(output: Output, env: Environment): Paint {
  const wanted = output.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return { ...(wanted ? colours : plain), width: output.isTTY ? (output.columns ?? 80) : undefined };
}

export const plain: Paint = {
  heading: same,
  quiet: same,
  failure: same,
  removed: same,
  added: same,
  marked: same,
  state: same,
  width: undefined,
};

const colours: Omit<Paint, 'width'> = {
  heading: (text) => style('bold', text),
  quiet: (text) => style('dim', text),
  failure: (text) => style('red', text),
  removed: (text) => style('red', text),
  added: (text) => style('green', text),
  marked: (text) => style('inverse', text),
  state: (word) => {
    const colour = colourOfState.get(word.replace(' ', '_'));
    return colour === undefined ? word : style(colour, word);
  },
};

const colourOfState: ReadonlyMap<string, 'green' | 'yellow' | 'red' | 'dim'> = new Map([
  ...['published', 'active', 'ready', 'available', 'approved', 'answered', 'issued', 'confirmed'].map(
    (word) => [word, 'green'] as const,
  ),
  ...['draft', 'pending', 'pending_review', 'changes_requested', 'open', 'scheduled', 'not_ready'].map(
    (word) => [word, 'yellow'] as const,
  ),
  ...['down', 'rejected', 'declined', 'used_up'].map((word) => [word, 'red'] as const),
  ...['archived', 'withdrawn', 'retracted', 'closed', 'expired', 'revoked', 'not_configured'].map(
    (word) => [word, 'dim'] as const,
  ),
]);

function style(format: 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'inverse', text: string) {
  // Node need not check the stream, because `createPaint` has already checked it.
  return styleText(format, text, { validateStream: false });
}

function same(text: string) {
  return text;
}
