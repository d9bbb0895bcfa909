import { expect, it } from 'vitest';
import { documentMarkdown } from './own-markdown.js';

it('cuts a document at its second-level headings and names every heading', () => {
  const { title, lead, sections } = documentMarkdown('# T\n\nlead\n\n## One\n\n### A b\n\ntext\n\n## Two\n\n<b>');
  expect([title, lead.markup]).toEqual(['T', '<p>lead</p>\n']);
  expect(sections.map(({ id, parts }) => [id, parts])).toEqual([
    ['one', [{ id: 'a-b', title: 'A b' }]],
    ['two', []],
  ]);
  expect(sections[0]?.body.markup).toBe('<h3 id="a-b">A b</h3>\n<p>text</p>\n');
  expect(sections[1]?.body.markup).toBe('<p>&lt;b&gt;</p>\n');
});
