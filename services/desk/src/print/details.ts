import { cleanLine, cleanText } from './clean.js';
import { type Paint, plain } from './paint.js';

/** A thing for people: a label and a value a line; what is empty is left out. */
export function formatDetails(
  facts: readonly (readonly [label: string, value: string | number | null])[],
  paint: Paint = plain,
): string {
  const shown = facts.filter(([, value]) => value !== null && value !== '' && value !== '-');
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown
    .map(([label, value]) => `${paint.quiet(label.padEnd(width))}  ${shownValue(label, value, paint)}`)
    .join('\n');
}

function shownValue(label: string, value: string | number | null, paint: Paint): string {
  const text = cleanLine(String(value));
  return label === 'state' ? paint.state(text) : text;
}

/** A text of several lines below a heading; nothing for an empty one. */
export function formatText(heading: string, text: string): string {
  if (text === '') return '';
  const shown = cleanText(text)
    .replace(/\n+$/, '')
    .replace(/^(?=.)/gm, '  ');
  return `\n\n${heading}\n${shown}`;
}
