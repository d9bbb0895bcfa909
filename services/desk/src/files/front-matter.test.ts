import { KnowledgeError } from '@knowledge/runtime/client';
import { describe, expect, it } from 'vitest';
import { FileProblem } from './fields.js';
import { inLinesOf, readFrontMatter } from './front-matter.js';

const read = (text: string) => readFrontMatter(Buffer.from(text));

describe('readFrontMatter', () => {
  it('splits fields and body, and reads numbers, dates and booleans as text', () => {
    const text =
      '---\ntitle: 1.10\nlanguage: no\npublished_at: 2026-02-03\ntags: [a, 2]\nsummary:\nauthor: ~\n---\n\nThe body.\n';
    expect(read(text)).toEqual({
      fields: {
        title: '1.10',
        language: 'no',
        published_at: '2026-02-03',
        tags: ['a', '2'],
        summary: null,
        author: null,
      },
      body: 'The body.',
      before: 9,
    });
  });

  it('drops a byte order mark and turns CRLF into LF', () => {
    const { fields, body } = read('\ufeff---\r\ntitle: x\r\n---\r\n\r\nOne\r\n\r\nTwo\r\n');
    expect(fields).toEqual({ title: 'x' });
    expect(body).toBe('One\n\nTwo');
  });

  it('drops only one empty line before the body and one line break after it', () => {
    expect(read('---\ntitle: x\n---\n\n\n  code\n---\nmore\n\n').body).toBe('\n  code\n---\nmore\n');
    expect(read('---\ntitle: x\n---\ntext').body).toBe('text');
    expect(read('--- yaml \ntitle: x\n--- \n----\n---cut---\n').body).toBe('----\n---cut---');
  });

  it.each([
    ['no end', '---\ntitle: x\n', /has no end/],
    ['an end of other dashes', '---\ntitle: x\n----\nx', /has no end/],
    ['TOML without an end', '+++\ntitle = "x"\n---\nx', /has no end; write a line \+\+\+/],
    ['broken TOML, with its line', '+++\ntitle = "x"\nslug = a\n+++\nx', /^is not TOML: .*\(line 3\)$/],
    ['spaces and two words', '---   a b\ntitle: x\n---\n', /must be YAML, not a b/],
    ['JavaScript', '---js\n{ title: process.exit(3) }\n---\nx', /must be YAML, not js/],
    ['JavaScript by its long name', '---javascript\n{ title: 1 }\n---\nx', /must be YAML/],
    ['JSON', '---json\n{ "title": "x" }\n---\nx', /must be YAML, not json/],
    ['broken YAML, with its line', '---\ntitle: x\nslug: [a\n---\nx', /^is not YAML: .*\(line 3\)$/],
    ['a control character', '---\ntitle: "a \u001d b"\n---\nx', /line 2 has a control character \(U\+001D\)/],
    ['a quote that is not closed, with its line', '---\ntitle: "x\nslug: a\nauthor: b\n---\nx', /\(line 2\)$/],
    ['a quote that is open to the end', '---\nslug: a\ntitle: "x\n  y\n---\nx', /\(line 3\)$/],
    ['a fault behind a text of several lines', '---\ntitle: "x\n  y"\nslug: [a\nauthor: b\n---\nx', /\(line 4\)$/],
    ['a huge one', `---\ntitle: ${'x'.repeat(60_000)}\n---\nx`, /at most 60000 characters/],
    ['a list', '---\n- a\n---\nx', /must be fields/],
    ['a text', '---\nhello\n---\nx', /must be fields/],
    ['a field given twice', '---\ntitle: a\ntitle: b\n---\nx', /duplicated/],
  ])('refuses %s', (_, text, problem) => {
    expect(() => read(text)).toThrow(FileProblem);
    expect(() => read(text)).toThrow(problem);
  });

  it('reads TOML, all values as text', () => {
    const text =
      '+++\r\ntitle = "x"\r\ndraft = true\r\ndate = 2020-01-02\r\nn = [1, 1.5]\r\n[a]\r\nb = 2020-01-02T03:04:05Z\r\n+++\r\nx';
    expect(read(text)).toEqual({
      fields: { title: 'x', draft: 'true', date: '2020-01-02', n: ['1', '1.5'], a: { b: '2020-01-02T03:04:05.000Z' } },
      body: 'x',
      before: 8,
    });
  });

  it('takes a text without front matter as it is', () => {
    expect(read('text\n')).toEqual({ fields: {}, body: 'text', before: 0 });
    expect(read('----\nx').body).toBe('----\nx');
    expect(read('').body).toBe('');
  });

  it.each([
    ['is not UTF-8 text; save it as UTF-8', Buffer.from('---\ntitle: \xe9\n---\nx', 'latin1')],
    ['is UTF-16 text; save it as UTF-8', Buffer.from('\ufeff---\ntitle: x\n---\nx', 'utf16le')],
    ['is UTF-16 text; save it as UTF-8', Buffer.from('\ufeff---\ntitle: x\n---\nx', 'utf16le').swap16()],
    ['is no text; choose Markdown files', Buffer.from('\x89PNG\0', 'latin1')],
    ['is a ZIP archive; unpack it and choose its files', Buffer.from('PK\x03\x04\x14\0\0\x08\xff', 'latin1')],
  ])('says that a file %s', (problem, bytes) => {
    expect(() => readFrontMatter(bytes)).toThrow(problem);
  });
});

it('names the lines of the file where the service counts those of the body', () => {
  const refused = new KnowledgeError('validation_error', 'body has words in line 2.');
  const file = read('---\nlanguage: en\n---\n\n# T\n\nx\ny');
  expect(() => inLinesOf(file, { body: 'x\ny' })(refused)).toThrow('body has words in line 8.');
});

it('repeats little of a faulty file', () => {
  const of = (yaml: string) => () => readFrontMatter(Buffer.from(`---\n${yaml}\n---\nbody`));
  expect(of(`a: !${'x'.repeat(59_000)}`)).toThrow(/^is not YAML: .{1,200} \(line 2\)$/);
  expect(new FileProblem('x'.repeat(5_000)).message).toHaveLength(1_000);
});

it.each([
  ['title:\u00a0A title', 2, '00A0'],
  ['slug: a\n\u00a0title: A title', 3, '00A0'],
  ['title\u00a0: A title', 2, '00A0'],
  ['tags:\n\u00a0\u00a0- one', 3, '00A0'],
  ['tags:\n  -\u3000one', 3, '3000'],
  ['title:\u202f"A title"', 2, '202F'],
])('names a no-break or odd space where a plain one must be: %j', (fields, line, code) => {
  expect(() => readFrontMatter(Buffer.from(`---\n${fields}\n---\n\nText.\n`))).toThrow(
    `front matter: line ${line} has a no-break or odd space (U+${code}) where a plain space must be`,
  );
});

it('reads a no-break space inside a value, and in the text', () => {
  const text = '---\ntitle: 10\u00a0km\nsummary: "a:\u00a0b"\n---\n\n\u00a0- one\n';
  expect(readFrontMatter(Buffer.from(text)).fields).toEqual({ title: '10\u00a0km', summary: 'a:\u00a0b' });
});
