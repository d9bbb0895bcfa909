import { cellWidth } from './cell-width.js';

/** A text whose lines break at words to fit a width; code between fences and what has no words is left as it is. */
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

// A line keeps its indentation, also where it goes on.
function wrapLine(line: string, width: number): string[] {
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
