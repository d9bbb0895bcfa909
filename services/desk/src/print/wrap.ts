import { cellWidth } from './cell-width.js';

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
