import { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { expect, it } from 'vitest';
import { formatDifference } from '../base/difference.js';
import { createPaint, plain } from '../base/text.js';
import { articleDifference } from './difference.js';

const article = (body: string, part: Partial<ArticleEntry> = {}) => ({
  entry: ArticleEntry.fromPartial({ title: 'A title', tags: ['a'], ...part } as object),
  body,
});
const paint = createPaint({ isTTY: true, columns: 80 } as never, { TERM: 'xterm' });

const before = article('One\nWe took nine weeks.\nEnd', { summary: 'Old' });
const after = article('One\nWe took ten weeks.\nEnd', { title: 'Another title', tags: ['a', 'b'] });
const difference = articleDifference(before, after);

it('shows fields and lines with signs', () => {
  expect(formatDifference(difference, 'lines', plain)).toBe(
    [
      ...['title', '-A title', '+Another title', ''],
      ...['summary', '-Old', ''],
      ...['tags', '-a', '+a, b', ''],
      ...['body', '@@ -1,3 +1,3 @@', ' One', '-We took nine weeks.', '+We took ten weeks.', ' End'],
    ].join('\n'),
  );
});

it('shows words inside their lines', () => {
  const shown = formatDifference(difference, 'words', plain);
  expect(shown).toContain('\n We took [-nine-]{+ten+} weeks.\n');
  expect(shown).toContain('title\n [-A-]{+Another+} title\n');
  expect(shown).toContain('summary\n [-Old-]\n');
});

it('colours a terminal only, and marks the changed words of a line that kept others', () => {
  const shown = formatDifference(difference, 'lines', paint);
  expect(shown).toContain('\u001b[31m-We took \u001b[7mnine\u001b[27m weeks.\u001b[39m');
  expect(shown).toContain('\u001b[32m+We took \u001b[7mten\u001b[27m weeks.\u001b[39m');
  expect(shown).toContain('\u001b[31m-Old\u001b[39m');
  expect(formatDifference(difference, 'lines', plain)).not.toContain('\u001b');
});

it('says so if there is none, or only in line ends', () => {
  expect(formatDifference(articleDifference(before, before), 'lines', plain)).toBe('They do not differ.');
  const ends = articleDifference(before, { ...before, body: before.body.replaceAll('\n', '\r\n') });
  expect(formatDifference(ends, 'lines', plain)).toBe('body\nOnly line ends differ.');
});

it.each(['lines', 'words'] as const)('makes hostile text harmless (%s)', (style) => {
  const hostile = `\u001b]0;x\u0007 \u001b[2J over\rwritten \u202egnp.exe\u2069 ${'x'.repeat(8000)} <script>`;
  const shown = formatDifference(
    articleDifference(article('safe', { title: '\u009b31mred' }), article(hostile, { author: '\u001b[1mAnn' })),
    style,
    plain,
  );
  expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  expect(shown).toContain('\ufffd');
  expect(shown).toContain('␍');
  expect(shown).toContain('x'.repeat(8000));
});

it('leaves out what editors do not put', () => {
  const later = { ...after.entry, revision: 9, wordCount: 5, updatedAt: new Date(0), readingTokens: 3 };
  expect(formatDifference(articleDifference(after, { ...after, entry: later }), 'lines', plain)).toBe(
    'They do not differ.',
  );
});
