import { readingTokens } from '@knowledge/runtime';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutPart, type TextPart } from './cut-part.js';
import { layoutOf } from './text-layout.js';

function allParts(text: string, maxTokens: number): TextPart[] {
  const layout = layoutOf(text);
  const parts: TextPart[] = [];
  for (let start = 0; start < text.length; start = parts.at(-1)?.end ?? text.length) {
    parts.push(cutPart(layout, { start, end: text.length }, maxTokens));
  }
  return parts;
}

const textsOf = (text: string, maxTokens: number): string[] =>
  allParts(text, maxTokens).map(({ start, end }) => text.slice(start, end));

const block = fc.oneof(
  fc.lorem({ maxCount: 60 }),
  fc.constantFrom(
    '# One',
    '## Two',
    '### Three',
    'Four\n====',
    '---',
    '> quoted\n> lines',
    '[a]: http://a.example',
    '',
  ),
  fc.integer({ min: 1, max: 30 }).map((rows) => `| a | b |\n|---|---|\n${'| 1 | two |\n'.repeat(rows)}`),
  fc.integer({ min: 1, max: 30 }).map((items) => '- an item\n  - an inner item\n'.repeat(items)),
  fc.integer({ min: 1, max: 30 }).map((lines) => `\`\`\`sh\n${'echo "a line"\n\n'.repeat(lines)}\`\`\``),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('\r\n', '\r', '\0', '```', '    code', '<div>', '\u2028', '💡'.repeat(50), '字'.repeat(100)),
);
const markdown = fc.array(block, { maxLength: 25 }).map((blocks) => blocks.join('\n\n'));

const loneSurrogate = /\p{Cs}/u;

it('are the whole text when they are joined, and each fits', () => {
  const property = (text: string, maxTokens: number) => {
    const parts = textsOf(text, maxTokens);
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(readingTokens(part)).toBeLessThanOrEqual(maxTokens);
  };
  fc.assert(fc.property(markdown, fc.integer({ min: 8, max: 400 }), property), { numRuns: 500 });
});

it('cut no character', () => {
  const property = (text: string, maxTokens: number) => {
    for (const part of textsOf(text, maxTokens)) expect(part).not.toMatch(loneSurrogate);
  };
  fc.assert(fc.property(markdown, fc.integer({ min: 1, max: 50 }), property));
});

it('are made of whole blocks where these fit', () => {
  const blocks = [
    'First paragraph of some words.',
    '```sh\necho one\n\necho two\n```',
    '- one\n\n- two',
    'The last words.',
  ];
  const text = blocks.join('\n\n');
  expect(textsOf(text, 18).map((part) => part.trim())).toEqual([
    blocks.slice(0, 1).join(),
    blocks[1],
    `${blocks[2]}\n\n${blocks[3]}`,
  ]);
  expect(allParts(text, 18).every(({ endsInside }) => endsInside === undefined)).toBe(true);
});

it('keep a heading with the block below it', () => {
  const text = `${'word '.repeat(20)}\n\n## Heading\n\n${'more '.repeat(20)}`;
  expect(textsOf(text, 26).map((part) => part.trimEnd().split('\n').length)).toEqual([1, 3]);
});

it('cut a list that is too large between items, and a table between rows', () => {
  const list = Array.from({ length: 20 }, (_, at) => `- item ${at}\n  with a second line\n`).join('');
  for (const part of textsOf(list, 40)) expect(part).toMatch(/^- item/);
  const table = `| a | b |\n|---|---|\n${'| cell | other cell |\n'.repeat(20)}`;
  const [first = '', ...others] = allParts(table, 40).map(({ start, end }) => table.slice(start, end));
  expect(first).toMatch(/^\| a \| b \|\n\|---\|---\|\n\| cell/);
  for (const part of others) expect(part).toMatch(/^\| cell .*\|\n$/s);
});

it('cut code that is too large at lines, and say so', () => {
  const text = `\`\`\`sh\n${'echo "one more line"\n'.repeat(40)}\`\`\`\n`;
  const parts = allParts(text, 60);
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.map(({ endsInside }) => endsInside)).toEqual([...parts.slice(1).map(() => 'code'), undefined]);
  expect(parts.map(({ beginsInside }) => beginsInside)).toEqual([undefined, ...parts.slice(1).map(() => 'code')]);
  for (const { start, end } of parts) expect(text.slice(start, end)).toMatch(/\n$/);
});

it('cut one long line between words', () => {
  for (const part of textsOf('some words '.repeat(200).trim(), 30)) expect(part).toMatch(/^(some|words)/);
});
