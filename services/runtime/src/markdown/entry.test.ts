import { describe, expect, it } from 'vitest';
import { deadLinkNote, markdownFault, readMarkdown, withoutHidden } from './index.js';

describe('markdownFault', () => {
  it.each([
    ['We moved.\\n\\nThen we rested.', 1],
    ['We moved.\\nThen we rested.\\nThe end.', 1],
    ['# A\n\nWe moved.\\r\\n\\r\\nThen.', 3],
  ])('refuses literal line breaks in %j', (text, line) => {
    expect(markdownFault(text)).toBe(`has \\n as two characters in line ${line}: send real line breaks`);
  });

  it.each([
    ...['In `a\\n\\nb` are two.', '```\na\\n\\nb\n```', 'In C:\\new\\nodes and D:\\next.'],
    ...['One \\n alone, one\n\\n below.', '$\\nabla \\nu$ in one line'],
  ])('accepts %j', (text) => {
    expect(markdownFault(text)).toBeUndefined();
  });
});

it('finds the links that lead nowhere, with their lines, and refuses them only from strangers', () => {
  const text = [
    '# Setup\n\n[a](#setup) [b](#text-setup) [c](#none)',
    '[d](https://d.example) [e](mailto:e@e.example) [f](tel:+49301234567)',
    '[g](../g.md) ![h](h.png) [i](www.i.example)',
    '[j](/articles/j) [k](/access/link) [l](//l.example) [m](/articles/%2e%2e/access)',
  ].join('\n');
  const dead = readMarkdown(text).links.filter(({ leads }) => leads === 'nowhere');
  expect(dead.map(({ target, line }) => `${target} ${line}`)).toEqual(
    ['#none', '../g.md', 'h.png', 'www.i.example', '/access/link', '//l.example', '/articles/%2e%2e/access'].map(
      (target) => `${target} 3`,
    ),
  );
  expect(markdownFault(text)).toBeUndefined();
  expect(markdownFault(text, 'stranger')).toBe(
    'links to #none in line 3, which leads nowhere: use a whole URL, beginning with https://',
  );
});

it('names a link without a target', () => {
  expect(markdownFault('[doc]()', 'stranger')).toMatch(/^links to nothing in line 1,/);
});

it('names the first of them for an editor', () => {
  expect(deadLinkNote(readMarkdown('[a](https://a.example)').links, 0)).toBeUndefined();
  expect(deadLinkNote(readMarkdown('[a](a.md)\n\n'.repeat(7)).links, 4)).toMatch(
    /: a\.md \(line 5\), .* \(line 13\) and 2 more$/,
  );
});

it('removes hidden characters from texts of editors, but no entity that code shows', () => {
  expect(withoutHidden('a&#8203;b\u200bc &amp; d')).toBe('abc &amp; d');
  expect(withoutHidden('Write `&#8203;` for\u200b it')).toBe('Write `&#8203;` for it');
  expect(withoutHidden('- a\n\n  ```html\n  a&rlm;\n  ```')).toContain('&rlm;');
});
