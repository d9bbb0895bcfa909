import MarkdownIt from 'markdown-it';

/**
 * Texts that cost readers of Markdown most, by name. They are those of the tests of CommonMark implementations, and more
 * of their kinds. Each has at most `length` UTF-16 units.
 */
const worstMarkdown: Readonly<Record<string, (length: number) => string>> = {
  ...repeated([
    // Brackets, links and images.
    ...['[', ']', '[a', 'a]', '[a](', '[a](b', '[a](<b', '[ (](', '![[]()', '![', '[]', '[][', '[a][', '[a][a]'],
    '[[]](a)',
    ...['[a](b "', "[a](b '", '[a](b (c', '[a](((', '[a](b "c") ', '[](#)', '[](http:a)', '![](a)', '![a](http:b)'],
    '[a](a)',
    ...['[a](http:b)', '[![a](b)](http:c)', '[ a_', '[a]: b\n', '[a]: b\n\n', '[a]:b\n"', '[a\n', '[a]: <b\n'],
    '[a]:\n',
    // Emphasis and code.
    ...['*a **a ', 'a_ ', '_a ', '*a_ ', '_a*_ ', '*', '_', '**', '*a*', '**a**', '***a** b* ', 'a**b', 'c* ', '~'],
    ...['~~a', '~~a~~'],
    ...['**x [a*b**c*](d)', '`', '`a', '``a`', '`a`', '「**', '**「a」**', '*＊', '\\', '\\*', '\\a', '\\\n'],
    // Tags, entities and addresses.
    ...['<', '</', '<!--', '<!-- -->', '<?', '<!A ', '<![CDATA[', 'a <', '<a href="', '<br>', '<a>', '<a@b.c>'],
    ...['<http:a>', '<http:a'],
    ...['&', '&a', '&#', '&#x', '&#8203;', '&amp;', '&aaaaaaaa', '&zwj;', '&CounterClockwiseContourIntegral;', '"'],
    ...["'", '<>'],
    ...['http://', 'http://a ', 'http://a.b/(', 'https://a/?', '://', 'http:', 'http://a@', 'mailto:a@b', 'a@a.a'],
    ...['www.', '//a '],
    ...['http://é.é/é ', 'http://%E0%A4%A ', 'http://a/"', 'https://a.b/[', 'ftp://', 'http://[::1]/', 'http://a*'],
    // Footnotes.
    ...['[^', '[^a', '[^a]', '[^a]: ', '[^a]: b\n', '[^a]: b\n[^a]', '^[a]', '[^a]: [^a]: '],
    // Blocks.
    ...['> ', '>', '>\n', '>a\n\n', '> > a\n', '- ', '-\n', '-\n+\n', '1.\n2)\n', '- a\n', '- a\n\n', '1. a\n', '* - '],
    ...['> - ', '- > ', '+ 1. '],
    ...['#', '#\n', '# a\n', '# a\n\n', 'a\n=\n', 'a\n-\n', '---\n', '* * ', '***\n', '```\n', '~~~\n', '```a\n'],
    ...['``` a b\n', '    a\n', '\ta\n\n'],
    ...['a\n', 'a\n\n', '\n', ' \n', ' ', '\t', 'a', 'a ', 'a  \n', 'a\\\n', '\r', '\0', '\u2028', '=\n', '- [ ] a\n'],
    ...['- [x]\n', '> [!NOTE]\n\n', '> [!TIP]\n> a\n\n'],
    ...['|', '|a', '|a\n', '|-', '|\n', '|a|\n|-|\n', '|a|\n|-|\n|b|c|\n\n', 'a|b\n-|-\n', '\\|', '|-|\n'],
    // Scripts.
    ...['א', 'א\n\na\n\n', '- א\n- a\n', 'א a ', '字', '字 ', '💡', '\ud800', '\u0301', 'a\u200b', 'ｱ**', 'ไทย'],
  ]),
  ...Object.fromEntries(
    [10, 40, 100, 1000].flatMap(
      (deep) =>
        [
          [`${deep} quotes above short lines`, fill('>'.repeat(deep), 'a\n')],
          [`${deep} quotes above lists`, fill('>'.repeat(deep), '- a\n')],
          [`${deep} lists above short lines`, fill('- '.repeat(deep), 'a\n')],
          [`${deep} lists with lines inside`, fill('- '.repeat(deep), `${' '.repeat(2 * deep)}a\n`)],
          [`lines with ${deep} quotes`, fill('', `${'>'.repeat(deep)}a\n`)],
          [`lines with ${deep} lists`, fill('', `${'- '.repeat(deep)}a\n`)],
          [`${deep} images inside each other`, fill('', `${'!['.repeat(deep)}a${'](http:b)'.repeat(deep)}\n\n`)],
          [
            `tables with ${deep} columns and short rows`,
            fill('', `${'|a'.repeat(deep)}|\n${'|-'.repeat(deep)}|\n${'|\n'.repeat(deep)}\n`),
          ],
          [
            `a table with ${deep} columns and short rows`,
            fill(`${'|a'.repeat(deep)}|\n${'|-'.repeat(deep)}|\n`, '|\n'),
          ],
          [
            `a table with ${deep} columns and full rows`,
            fill(`${'|a'.repeat(deep)}|\n${'|-'.repeat(deep)}|\n`, `${'|b'.repeat(deep)}|\n`),
          ],
          [
            `a table with ${deep} columns and long rows`,
            fill(`${'|a'.repeat(deep)}|\n${'|-'.repeat(deep)}|\n`, `${'|b'.repeat(2 * deep)}|\n`),
          ],
          [
            `${deep} references, used in turn`,
            (length) => {
              const labels = Array.from({ length: Math.min(deep, length / 20) }, (_, at) => `r${at}`);
              return fill(
                labels.map((label) => `[${label}]: http:b\n`).join(''),
                `\n${labels.map((label) => `[${label}]`).join('')}`,
              )(length);
            },
          ],
          [
            `${deep} footnotes, used in turn`,
            (length) => {
              const labels = Array.from({ length: Math.min(deep, length / 20) }, (_, at) => `[^${at}]`);
              return fill(labels.map((label) => `${label}: b\n`).join(''), `\n${labels.join('')}`)(length);
            },
          ],
        ] as [string, (length: number) => string][],
    ),
  ),
  'brackets inside each other': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'brackets inside each other, with a reference': (length) =>
    `[a]: b\n\n${'['.repeat(length / 2 - 8)}${']'.repeat(length / 2 - 8)}`,
  'image brackets inside each other, with a reference': (length) =>
    `[a]: b\n\n${'!['.repeat(length / 3 - 8)}${']'.repeat(length / 3 - 8)}`,
  'labels inside each other': (length) => `[a]: b\n\n${'[a'.repeat(length / 3 - 8)}${']'.repeat(length / 3 - 8)}`,
  'emphasis inside emphasis': (length) => `${'*a **a '.repeat(length / 14)}b${' a** a*'.repeat(length / 14)}`,
  'a row of stars on both sides': (length) => `${'*'.repeat(length / 2 - 1)}a${'*'.repeat(length / 2)}`,
  'openers, then closers of another kind': (length) => `${'*a '.repeat(length / 8)}${'_a*_ '.repeat(length / 8)}`,
  'rows of backticks, each longer': (length) =>
    Array.from({ length: Math.sqrt(2 * length) - 2 }, (_, at) => `e${'`'.repeat(at)}`)
      .join('')
      .slice(0, length),
  'rows of backticks, each shorter, twice': (length) => {
    const rows = Array.from({ length: Math.sqrt(length) - 2 }, (_, at) => `e${'`'.repeat(at + 1)}`);
    return [...rows, ...rows.reverse()].join('').slice(0, length);
  },
  'lists, each deeper': (length) =>
    Array.from({ length: Math.sqrt(length) - 4 }, (_, at) => `${'  '.repeat(at)}* a\n`)
      .join('')
      .slice(0, length),
  'a reference with a long target, used often': (length) =>
    `[a]: http:${'b'.repeat(length / 2 - 12)}\n\n${'[a]'.repeat(length / 6)}`,
  'a reference with a long title, used often': (length) =>
    `[a]: http:b "${'c '.repeat(length / 4 - 10)}"\n\n${'[a]'.repeat(length / 6)}`,
  'a long label in every link': fill(`[a]: b\n\n${'![a'.repeat(400)}`, ']'),
  'a long host': fill('http://', 'é.'),
  'a long address': fill('<', 'a.'),
  'a long address without an end': (length) => `<a@${'a.'.repeat(length / 2 - 4)}>`,
  'an open fence in each quote': fill('', '> ```\n\n'),
  'a paragraph, then almost a table': (length) => `${'a|'.repeat(length / 4)}\n${'-|'.repeat(length / 4 - 4)}b\n`,
  'headings of one name': fill('', '# a\n\n'),
  'a long heading': fill('# ', 'a '),
  'a long setext heading': (length) => `${'a\n'.repeat(length / 2 - 2)}===`,
  'a footnote with long blocks': fill('[^a]: b\n', '\n    c\n'),
  'footnotes inside each other': (length) =>
    Array.from({ length: Math.sqrt(length / 4) - 2 }, (_, at) => `${'    '.repeat(at)}[^${at}]: a\n\n`)
      .join('')
      .slice(0, length),
};

/** Makes a text of a beginning and repeated pieces. */
function fill(beginning: string, piece: string): (length: number) => string {
  return (length) =>
    beginning.slice(0, length) + piece.repeat(Math.max(0, Math.floor((length - beginning.length) / piece.length)));
}

function repeated(pieces: readonly string[]): Record<string, (length: number) => string> {
  return Object.fromEntries(pieces.map((piece) => [JSON.stringify(piece), fill('', piece)]));
}

/** What a function costs with the text that is dearest for it. */
interface Cost {
  /** The CPU time in milliseconds a kilobyte of text, the best of several runs. */
  readonly cpu: number;
  /** The bytes that it returns for each byte of text. */
  readonly output: number;
  readonly dearest: string;
}

/** The CPU time in milliseconds that this process has taken. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures a function with all of the worst texts. It returns text, or something that is counted as JSON. */
function measureCost(run: (text: string) => unknown, length: number): Cost {
  // Code that has never run is slow.
  for (const make of Object.values(worstMarkdown)) run(make(2_000));
  let [cpu, output, dearest] = [0, 0, ''];
  for (const [name, make] of Object.entries(worstMarkdown)) {
    const text = make(length);
    if (text.length < length / 2) continue;
    const bytes = Buffer.byteLength(text);
    let best = Number.POSITIVE_INFINITY;
    let result: unknown;
    // Other work on the machine slows some runs.
    for (let attempt = 0; attempt < 4 && best > (bytes / 1000) * (cpu || 1); attempt += 1) {
      const before = cpuMs();
      result = run(text);
      best = Math.min(best, cpuMs() - before);
    }
    const written = Buffer.byteLength(typeof result === 'string' ? result : (JSON.stringify(result) ?? ''));
    output = Math.max(output, (written - 600) / bytes);
    if (best / (bytes / 1000) > cpu) [cpu, dearest] = [best / (bytes / 1000), name];
  }
  return { cpu, output, dearest };
}

const usualText =
  '## A heading\n\nWe moved *one plant*, and [it held](https://example.org/a).\n\n- one `item`\n\n> A word.\n\n'.repeat(
    80,
  );

/** The CPU time in ms that a kilobyte may take: 30 times that of usual text in markdown-it. */
export function mostCpu(): number {
  const reader = new MarkdownIt();
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const before = cpuMs();
    reader.render(usualText);
    best = Math.min(best, cpuMs() - before);
  }
  return (30_000 * best) / Buffer.byteLength(usualText);
}

/** Prints the costs of functions, and returns those that cost more than a text may. */
export function tooDear(functions: Readonly<Record<string, (text: string) => unknown>>, length: number): string[] {
  const before = mostCpu();
  const rows = Object.entries(functions).map(([name, run]) => ({ name, ...measureCost(run, length) }));
  for (const { name, cpu, output, dearest } of rows) {
    process.stdout.write(
      `${length} characters  ${cpu.toFixed(2).padStart(6)} ms/kB  ${output.toFixed(1).padStart(5)} bytes/byte  ${name}  (${dearest})\n`,
    );
  }
  const most = Math.max(before, mostCpu());
  process.stdout.write(`${length} characters  ${most.toFixed(2).padStart(6)} ms/kB may be taken here\n`);
  return rows.filter(({ cpu, output }) => cpu > most || output > 10).map(({ name }) => name);
}
