import fc from 'fast-check';
import sanitizeHtml from 'sanitize-html';
import { expect, it } from 'vitest';
import { anyMarkdown } from '../testing/any-markdown.js';
import { createMarkdownRenderer } from './render.js';

const render = (text: string): string => createMarkdownRenderer(1024)(text).markup;

it.each([
  ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<iframe src="https://evil.example"></iframe>'],
  ...['<a href="https://evil.example" onclick="x()">a</a>', '<style>body{display:none}</style>'],
  ...['<svg/onload=alert(1)>', '<!-- --><form action="https://evil.example"><input name=a>'],
])('shows %s as text', (text) => {
  expect(render(text)).not.toMatch(/<(?!\/?p>|a href="https:|\/a>)/);
});

it.each([
  ...['[a](javascript:alert(1))', '[a](JaVaScRiPt:alert(1))', '[a](data:text/html,x)', '[a](vbscript:x)'],
  ...['<javascript:alert(1)>', '[a](file:///etc/passwd)', '![a](javascript:alert(1))'],
  ...['[a]: javascript:alert(1)\n\n[a]', '[a](../notes.md)', '[a](/access/link)', '[a](/articles/../access)'],
  ...['[a](/\\\\evil.example)', '[a](#nowhere)', '[a](//evil.example)'],
])('makes no link of %s', (text) => {
  expect(render(text)).not.toContain('href');
});

it('links to other sites without a vote or a way back, and loads nothing: an image is a link', () => {
  const rel = 'rel="nofollow ugc noopener noreferrer"';
  expect(render('[a](https://example.org/)')).toBe(`<p><a href="https://example.org/" ${rel}>a</a></p>\n`);
  expect(render('![a plan](https://example.org/p.png)')).toBe(
    `<p><a href="https://example.org/p.png" ${rel}>a plan (image)</a></p>\n`,
  );
});

it.each([
  '[https://good.example/](https&#58;//evil.example/)',
  '[**good.example**][a]\n\n[a]: https://evil.example/',
  '| a |\n|---|\n| [`good.example`](https://evil.example/) |',
  '<https://good.example@evil.example/>',
])('shows behind the link %j to which host it leads', (text) => {
  expect(render(text)).toMatch(/<\/a> \(evil\.example[,)]/);
});

it('makes links of URLs in the text, and of nothing that only looks like a host or an address', () => {
  expect(render('see https://example.org/x')).toContain('<a href="https://example.org/x"');
  expect(render('notes.md, example.org, a@example.org')).toBe('<p>notes.md, example.org, a@example.org</p>\n');
});

it.each([
  ['# a\n\n## b', 'h2 a, h3 b'],
  ['## a\n\n### b', 'h2 a, h3 b'],
  ['###### a', 'h2 a'],
  ['# a\n\n### b\n\n# c', 'h2 a, h3 b, h2 c'],
  ['### a\n\n# b', 'h2 a, h2 b'],
])('puts the headings of %j below the title of the page', (text, expected) => {
  const shown = [...render(text).matchAll(/<(h\d) id="(\w)"><span id="text-\2"><\/span>\2<\/\1>/g)];
  expect(shown.map(([, tag, words]) => `${tag} ${words}`).join(', ')).toBe(expected);
});

it('lets a wide table scroll by itself, with classes instead of styles', () => {
  const markup = render('| a | b |\n|---|--:|\n| 1 | 2 |');
  expect(markup).toContain('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>');
  expect(markup).toContain('<td class="right">2</td>');
  expect(markup).not.toContain('style=');
});

it('makes a plain cell of a head without words', () => {
  expect(render('| | a |\n|---|---|\n| b | 1 |')).toMatch(/<tr>\s*<td><\/td>\s*<th>a<\/th>/);
});

it('shows task lists as such', () => {
  expect(render('- [ ] one\n- [x] two')).toContain('<li>☐ one</li>\n<li>☑ two</li>');
});

it('names headings as GitHub does, keeps the names of the past, and lists the highest that are several', () => {
  const { markup, headings } = createMarkdownRenderer(1024)(
    '# Top\n\n## Two *words*\n\n### Below\n\n## Two words\n\n## Ümläut & _more_\n\n## مرحبا',
  );
  expect(headings).toEqual([
    { id: 'two-words', title: 'Two words' },
    { id: 'two-words-1', title: 'Two words' },
    { id: 'ümläut--more', title: 'Ümläut & more' },
    { id: 'مرحبا', title: 'مرحبا' },
  ]);
  const earlier = ['text-two-words', 'text-two-words-2', 'text-ml-ut-more', 'text-part'];
  for (const id of [...headings.map((each) => each.id), ...earlier]) expect(markup.split(`id="${id}"`)).toHaveLength(2);
});

it('leaves out a first heading that repeats the title, but not its place, and headings without words', () => {
  const { markup } = createMarkdownRenderer(1024)('# My *title*!\n\n## a\n\n#\n\n[up](#my-title)', {
    title: 'My title',
  });
  expect(markup).toMatch(/^<span id="my-title"><\/span><span id="text-my-title"><\/span><h2 id="a">/);
  expect(markup).toContain('<a href="#my-title">up</a>');
  expect(markup.match(/<h/g)).toHaveLength(1);
});

it('keeps the space of a heading over two lines', () => {
  expect(createMarkdownRenderer(1024)('Two\nlines\n===\n\nb\n=').headings[0]?.title).toBe('Two lines');
});

it('gives a part of a text its own direction only where most of its letters have another one', () => {
  const render = createMarkdownRenderer(1024);
  const mixed = render('English\n\nعربي\n\n- واحد\n- one two\n\n> one');
  expect(mixed.direction).toBe('ltr');
  expect(mixed.markup).toBe(
    '<p>English</p>\n<p dir="rtl">عربي</p>\n<ul>\n<li dir="rtl">واحد</li>\n<li>one two</li>\n</ul>\n<blockquote>\n<p>one</p>\n</blockquote>\n',
  );
  const arabic = render('- **Kubernetes** هو نظام\n- `kubectl get pods` أمر\n- in English', { language: 'ar' });
  expect([arabic.direction, arabic.markup.match(/<[^>]*dir=[^>]*>.*/g)]).toEqual([
    'rtl',
    ['<li dir="ltr">in English</li>'],
  ]);
  expect(render('كتاب عن Kubernetes وأشياء').direction).toBe('rtl');
});

it('knows the marks that are common on GitHub', () => {
  expect(render('a[^n] b[^n] c[^none]\n\n[^n]: One\n[^unused]: Two')).toBe(
    '<p>a<sup><a href="#fn:1" id="fnref:1">[n]</a></sup> b<sup><a href="#fn:1">[n]</a></sup> c[^none]</p>\n' +
      '<div class="footnote" id="fn:1"><sup><a href="#fnref:1">[n]</a></sup><div>\n<p>One</p>\n</div></div>\n' +
      '<div class="footnote"><sup>[unused]</sup><div>\n<p>Two</p>\n</div></div>\n',
  );
  expect(render('|a|\n|-|\n|b<br>c|')).toContain('<td>b<br>\nc</td>');
  expect(render('> [!WARNING]\n> hot')).toBe(
    '<blockquote class="warning">\n<p><strong>Warning</strong><br>\nhot</p>\n</blockquote>\n',
  );
  expect(render('これは**「重要」**です。``**`--flag`**を使う``')).toContain('<strong>「重要」</strong>');
});

it('has no link inside of a link, and no link without words', () => {
  const rel = 'rel="nofollow ugc noopener noreferrer"';
  expect(render('[![build](https://b.example/b.svg)](https://a.example)')).toBe(
    `<p><a href="https://a.example" ${rel}>build (image)</a></p>\n`,
  );
  expect(render('[](https://a.example)')).toBe(`<p><a href="https://a.example" ${rel}>https://a.example</a></p>\n`);
});

it('shows what people could not see: titles, labels, references that nothing uses, targets that lead nowhere', () => {
  const text =
    '[a](https://a.example "the title") [b](../b.md) [c][several words]\n\n[several words]: https://c.example\n[d]: https://d.example';
  const words = render(text).replace(/<[^>]*>/g, '');
  expect(words).toBe('a (the title) b (../b.md) c (several words)\n[d]: https://d.example\n');
});

it('has no other tags and attributes than a strict sanitizer lets through', () => {
  const property = (text: string, lowered: number, title: string): void => {
    const { markup } = createMarkdownRenderer(10)(text, { lowered, title });
    expect(sanitizeHtml(markup, strict)).toBe(markup.replace(/&#39;/g, "'").replace(/<([bh]r)>/g, '<$1 />'));
  };
  fc.assert(fc.property(anyMarkdown, fc.integer({ min: 0, max: 2 }), fc.constantFrom('', 'a'), property), {
    numRuns: 300,
  });
});

it('renders a text once', () => {
  const markdown = createMarkdownRenderer(1024);
  expect(markdown('*a*')).toBe(markdown('*a*'));
  expect(markdown('').markup).toBe('');
});

const strict: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'code', 'hr', 'br', 'ul', 'ol', 'li', 'sup', 'span'],
    ...['em', 'strong', 's', 'a', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { '*': ['id', 'dir', 'class', 'tabindex', 'role', 'aria-*'], a: ['href', 'rel'], li: ['value'] },
  allowedClasses: {
    p: ['asis', 'soft'],
    div: ['scroll', 'footnote'],
    '*': ['center', 'right', 'note', 'tip', 'important', 'warning', 'caution'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // The parser of the sanitizer writes these as they are.
  textFilter: (text) => text.replace(/"/g, '&quot;'),
};
