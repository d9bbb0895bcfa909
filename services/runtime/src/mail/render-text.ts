import { codePoints } from '../text/code-points.js';
import {
  type MailBlock,
  type MailDraft,
  type MailText,
  plainTextOf,
  textParts,
  webUrl,
  withoutControlCharacters,
} from './blocks.js';

const width = 72;

/** Renders the plain text part. Lines have at most 72 characters, except lines with a long URL. */
export function renderText({ blocks, footer }: MailDraft): string {
  const small = footer.map((line) => wrap(flat(line)));
  return `${[...blocks.map(renderBlock), ['-- ', ...small].join('\n')].join('\n\n')}\n`;
}

function renderBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return wrap(flat(block.text));
    case 'heading': {
      const text = oneLine(block.text);
      return `${text}\n${'-'.repeat(Math.min(codePoints(text), width))}`;
    }
    case 'list':
      return block.items.map((item) => wrap(flat(item), '  - ', '    ')).join('\n');
    case 'facts': {
      const column = Math.max(...block.rows.map(([name]) => name.length)) + 3;
      const indent = ' '.repeat(column + 2);
      return block.rows
        .map(([name, value]) => wrap(oneLine(value), `  ${`${name}:`.padEnd(column)}`, indent))
        .join('\n');
    }
    case 'code':
      return `        ${oneLine(block.value)}`;
    case 'button':
      return `${oneLine(block.label)}:\n${webUrl(block.url)}`;
    case 'quote': {
      const lines = withoutControlCharacters(textParts(block.text).map(plainTextOf).join('')).trim().split('\n');
      const quoted = lines.map((line) => (line.trim() === '' ? '>' : wrap(line.trimEnd(), '> ', '> ')));
      return [...quoted, ...(block.by === undefined ? [] : [`  ${oneLine(block.by)}`])].join('\n');
    }
  }
}

function flat(text: MailText): string {
  return oneLine(textParts(text).map(plainTextOf).join(''));
}

function oneLine(text: string): string {
  return withoutControlCharacters(text).replace(/\s+/g, ' ').trim();
}

function wrap(text: string, first = '', rest = first.replace(/\S/g, ' ')): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length + rest.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((each, at) => (at === 0 ? first : rest) + each).join('\n');
}
