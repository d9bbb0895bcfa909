import { describe, expect, it } from 'vitest';
import { createCommunityMarkdown } from './community-markdown.js';

const render = (text: string): string => createCommunityMarkdown(1024)(text).markup;

describe('Markdown that the community wrote', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="https://evil.example"></iframe>',
    '<a href="https://evil.example" onclick="x()">a</a>',
    '<style>body{display:none}</style>',
    '<svg/onload=alert(1)>',
    '<!-- --><form action="https://evil.example"><input name=a>',
  ])('shows %s as text', (text) => {
    expect(render(text)).not.toMatch(/<(?!\/?p>|p dir="auto">|a href="https:|\/a>)/);
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '<javascript:alert(1)>',
    '[a](file:///etc/passwd)',
    '![a](javascript:alert(1))',
    '[a]: javascript:alert(1)\n\n[a]',
    '[a](mailto:a@example.org)',
    '[a](//evil.example)',
  ])('makes no link of %s', (text) => {
    expect(render(text)).not.toContain('href');
  });

  it('links to other sites without a vote or a way back, and loads nothing: an image is a link', () => {
    const rel = 'rel="nofollow ugc noopener noreferrer"';
    expect(render('[a](https://example.org/)')).toBe(`<p dir="auto"><a href="https://example.org/" ${rel}>a</a></p>\n`);
    expect(render('![a plan](https://example.org/p.png)')).toBe(
      `<p dir="auto"><a href="https://example.org/p.png" ${rel}>a plan (image)</a></p>\n`,
    );
  });

  it('makes links of URLs in the text, and of nothing that only looks like a host or an address', () => {
    expect(render('see https://example.org/x')).toContain('<a href="https://example.org/x"');
    expect(render('notes.md, example.org, a@example.org')).toBe(
      '<p dir="auto">notes.md, example.org, a@example.org</p>\n',
    );
  });

  it.each([
    ['# a\n\n## b', 'h2 a, h3 b'],
    ['## a\n\n### b', 'h2 a, h3 b'],
    ['###### a', 'h2 a'],
    ['# a\n\n### b\n\n# c', 'h2 a, h3 b, h2 c'],
    ['### a\n\n# b', 'h2 a, h2 b'],
  ])('puts the headings of %j below the title of the page', (text, expected) => {
    const shown = [...render(text).matchAll(/<(h\d) id="text-(\w)" dir="auto">\2<\/\1>/g)];
    expect(shown.map(([, tag, words]) => `${tag} ${words}`).join(', ')).toBe(expected);
  });

  it('lets a wide table scroll by itself, with classes instead of styles', () => {
    const markup = render('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(markup).toContain('<div class="scroll" tabindex="0"><table>');
    expect(markup).toContain('<td class="right" dir="auto">2</td>');
    expect(markup).not.toContain('style=');
  });

  it('makes a plain cell of a head without words', () => {
    expect(render('| | a |\n|---|---|\n| b | 1 |')).toMatch(/<tr>\s*<td dir="auto"><\/td>\s*<th dir="auto">a<\/th>/);
  });

  it('shows task lists as such', () => {
    expect(render('- [ ] one\n- [x] two')).toContain('<li dir="auto">☐ one</li>\n<li dir="auto">☑ two</li>');
  });

  it('names its headings once each, also those without a Latin letter, and lists the highest', () => {
    const { markup, headings } = createCommunityMarkdown(1024)('# Two *words*\n\n## Below\n\n# Two words\n\n# مرحبا');
    expect(headings).toEqual([
      { id: 'text-two-words', title: 'Two words' },
      { id: 'text-two-words-2', title: 'Two words' },
      { id: 'text-part', title: 'مرحبا' },
    ]);
    for (const { id } of headings) expect(markup.split(`id="${id}"`)).toHaveLength(2);
  });

  it('gives each part of a text its own direction', () => {
    const markup = render('English\n\nعربي\n\n- واحد\n\n> one');
    expect(markup.match(/<(?:p|li|blockquote)\b[^>]*>/g)?.every((tag) => tag.includes('dir="auto"'))).toBe(true);
  });

  it('takes the longest contribution of anything in less than a second', () => {
    for (const piece of ['[', '*a', '> ', '`', '<', '|a', '![', '&#', '# a\n', '- [ ] ']) {
      // The time of the processor, which does not depend on what else runs.
      const begun = process.cpuUsage();
      render(piece.repeat(8_000 / piece.length));
      expect([piece, process.cpuUsage(begun).user < 1_000_000]).toEqual([piece, true]);
    }
  });

  it('renders a text once', () => {
    const markdown = createCommunityMarkdown(1024);
    expect(markdown('*a*')).toBe(markdown('*a*'));
    expect(markdown('').markup).toBe('');
  });
});
