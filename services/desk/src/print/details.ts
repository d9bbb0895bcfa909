import { type Paint, plain } from './paint.js';
import { terminalSafeLine, terminalSafeText } from './terminal-safe.js';
import { wrapText } from './wrap.js';

/** Formats a label and a value on each line. Leaves out empty values. */
export function formatDetails(
  facts: readonly (readonly [label: string, value: string | number | null])[],
  paint: Paint = plain,
): string {
  const shown = facts.filter(([, value]) => value !== null && value !== '' && value !== '-');
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown
    .map(([label, value]) => `${paint.quiet(label.padEnd(width))}  ${shownValue(label, value, paint, width + gap)}`)
    .join('\n');
}

const gap = 2;

function shownValue(label: string, value: string | number | null, paint: Paint, indent: number): string {
  const text = terminalSafeLine(String(value));
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
