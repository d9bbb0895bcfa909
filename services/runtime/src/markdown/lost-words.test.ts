import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMarkdown } from '../testing/any-markdown.js';
import { createMarkdownRenderer, markdownFault, plainText, textBlocks } from './index.js';

const render = createMarkdownRenderer(1000);
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const wordsOn = (markup: string): string =>
  markup.replace(/<[^>]*>/g, '').replace(/&(\w+|#39);/g, (_, name: string) => entities[name] ?? '');

/** Words that are found again, since each is different. */
const words = fc.integer({ min: 1000, max: 9999 }).map((number) => `word${number}`);
const block = fc.oneof(
  words,
  fc.tuple(fc.integer({ min: 0, max: 60 }), words).map(([deep, word]) => `${'- '.repeat(deep)}${word}`),
  fc.tuple(fc.integer({ min: 0, max: 60 }), words).map(([deep, word]) => `${'>'.repeat(deep)} ${word}`),
  words.map((word) => `[a](http://a.example "${word}")`),
  words.map((word) => `![${word}](http://a.example "and ${word}")`),
  words.map((word) => `[a][${word} of many words]\n\n[${word} of many words]: http://a.example`),
  words.map((word) => `[${word}]: http://a.example "never used ${word}"`),
  words.map((word) => `[//]: # (${word})`),
  words.map((word) => `<!-- ${word} -->`),
  words.map((word) => `<details>${word}</details>`),
  words.map((word) => `|a|b|\n|-|-|\n|c|d|${word}|`),
  words.map((word) => `|${word}|b|\n|-|-|\n|${word}<br>${word}|`),
  words.map((word) => `a[^1]\n\n[^1]: ${word}\n\n    more ${word}`),
  words.map((word) => `[^never]: ${word}`),
  words.map((word) => `\`\`\`js title="${word}"\ncode ${word}\n\`\`\``),
  words.map((word) => `- ~~~${word}\n  ~~~`),
  words.map((word) => `> [!NOTE]\n> ${word}`),
  words.map((word) => `# ${word}\n\n${word}\n===`),
  words.map((word) => `[${word}](../nowhere.md) [${word}](javascript:alert(1)) <javascript:${word}>`),
  words.map((word) => `- [x] ${word}\n    - ${word}\n\n      ${word}`),
  words.map((word) => `\\${word} &amp;${word}; \`${word}\``),
);

describe('what is accepted', () => {
  it('is shown in every rendition, word for word', () => {
    const property = (blocks: readonly string[]): void => {
      const text = blocks.join('\n\n');
      const sent = text.match(/word\d+/g) ?? [];
      const shown = [wordsOn(render(text).markup), wordsOn(render(text, { lowered: 2 }).markup), plainText(text)];
      const searched = textBlocks(text).map((each) => each.text);
      for (const rendition of [...shown, searched.join('\n')]) {
        for (const word of sent) expect(rendition).toContain(word);
      }
    };
    fc.assert(fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), property), { numRuns: 200 });
  });

  it('is the same in plain text and on the page', () => {
    const property = (text: string): void => {
      const [page, plain] = [wordsOn(render(text).markup), plainText(text)].map((each) => each.match(/\p{L}+/gu) ?? []);
      expect(plain).toEqual(page);
    };
    fc.assert(fc.property(anyMarkdown, property), { numRuns: 200 });
  });
});

it('shows what stands behind a fence, and every number of a list that does not count on', () => {
  const text = '```Assistant\nx\n```\n\n1. a\n1. b\n   1. c\n   9. c\n7777. d\n\n5) e';
  expect(render(text).markup).toBe(
    [
      '<p class="soft">Assistant</p>\n<pre tabindex="0" role="group" aria-label="Code"><code>x\n</code></pre>\n',
      '<ol>\n<li>a</li>\n<li>b\n<ol>\n<li>c</li>\n<li value="9">c</li>\n</ol>\n</li>\n<li value="7777">d</li>\n</ol>\n',
      '<ol>\n<li value="5">e</li>\n</ol>\n',
    ].join(''),
  );
  expect(plainText(text)).toBe('Assistant\nx\na\nb\nc\n9.\nc\n7777.\nd\n5.\ne');
});

it('shows labels that have words', () => {
  const text =
    'a[^Assistant] b[^1] [c][ignore] [d][2]\n\n[^Assistant]: e\n\n[^1]: f\n\n[^all]: g\n\n[ignore]: https://c.example\n[2]: https://d.example';
  expect(wordsOn(render(text).markup)).toBe('a[Assistant] b2 c (ignore) d\n[Assistant]\ne\n\n2\nf\n\n[all]\ng\n\n');
  expect(plainText(text)).toBe('a[Assistant] b c (ignore) d\n[Assistant]\ne\nf\n[all]\ng');
});

describe('what no page would show', () => {
  it.each([`before\n\n${'- '.repeat(50)}x\n\n  hidden words`, `${'> - '.repeat(14)}x\n> b`, `${'>'.repeat(60)}a`])(
    'is refused where lists and quotes are too deep: %j',
    (text) => {
      expect(markdownFault(text)).toMatch(/^costs too much for its length at line \d+/);
      expect(plainText(text)).toContain(text.slice(-5));
    },
  );

  it.each([
    ['|a|b|\n|-|-|\n|1|2|\n|1|2|secret|', 4],
    ['|[aaaaaa]|\n|-|\n|1|secret|\n\n[aaaaaa]: http://aaaaaaaaaa', 3],
    ['|a|\n|-|\n|1|💣|', 3],
    ['|a|\n|-|\n|1|&#115;&#x65;&eacute;|', 3],
    ['|a|\n|-|\n|\\&CounterClockwiseContourIntegral;|&#115;|', 3],
    ['> |a|\n> |-|\n> |`&aaaaaaa;`|secret|', 3],
  ])('is refused with its line: %j', (text, line) => {
    expect(markdownFault(text)).toContain(`in line ${line} `);
  });

  it('is shown as it was written if it is stored, with the other blocks as usual', () => {
    const text = 'a *b*\n\n|a|\n|-|\n|1|secret|\n\n*c*';
    expect(render(text).markup).toBe(
      '<p>a <em>b</em></p>\n<p class="asis">|a|\n|-|\n|1|secret|</p>\n<p><em>c</em></p>\n',
    );
    expect(plainText(text)).toContain('secret');
  });

  it.each([
    '[a][1]\n\n[1]: https://a.example/%C3%A9?a=1&amp;b=2 "AT&amp;T"',
    '&lt;b&gt; &aacute; `&aacute;` [x][straße]\n\n[straße]: https://a.example',
    '1. one\n7. two\n\n- [x] done\n\n> [!tip]\n> a<br/>b',
    '&amp;lt; `&amp;` \\&eacute; [a](https://a.example/?b=1&amp;c=%20 "&eacute;&#128163;") 1 … 2 💣',
    '```js {1,3}\ncode\n```\n\n~~~\nopen',
    '[ref *it*]: <https://a.example>\n\n[ref *it*] <https://b.example> <a@b.example> www.example.org',
  ])('is not in %j', (text) => {
    expect(markdownFault(text)).toBeUndefined();
  });

  it('is refused for its cost: cells that the parser fills up, long targets used often, deep quotes', () => {
    const table = `|${'a|'.repeat(181)}\n|${'-|'.repeat(181)}\n${'|\n'.repeat(362)}\n`;
    expect(markdownFault(`A story.\n\n${table}`)).toMatch(/^costs too much for its length at line \d+: use fewer/);
    expect(markdownFault(`[a]: http://${'b'.repeat(3000)}\n\n${'[a]'.repeat(1000)}`)).toMatch(/^costs too much/);
    expect(markdownFault('An ordinary text after it: hhh bbb ttt.')).toBeUndefined();
    expect(render(`${table.repeat(5)}`).markup.length).toBeLessThan(10 * 5 * table.length);
  });
});
