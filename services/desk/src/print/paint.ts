import { styleText } from 'node:util';
import type { Environment } from '@knowledge/runtime/client';
import type { Output } from '../host.js';

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

function style(format: 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'inverse', text: string): string {
  // Node need not check the stream, because `createPaint` has already checked it.
  return styleText(format, text, { validateStream: false });
}

function same(text: string): string {
  return text;
}
