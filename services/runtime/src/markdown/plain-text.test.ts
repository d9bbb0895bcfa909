import { expect, it } from 'vitest';
import { plainText } from './plain-text.js';

it.each([
  ['# Title\n\nSome **bold** and _soft_ `code`.', 'Title\nSome bold and soft code.'],
  [
    'See [the page](https://example.org/x "t") and ![a picture](https://p.example/p.png).',
    'See the page (t) and a picture (image).',
  ],
  ['- one\n- two\n\n> quoted', 'one\ntwo\nquoted'],
  ['```sh\nnpm start\n```', 'sh\nnpm start'],
  ['1. one\n1. two\n5. three', 'one\ntwo\n5.\nthree'],
  ['| a | b |\n|---|---|\n| c | d |', 'a\nb\nc\nd'],
  ['List<String>, <your-token> and /users/<id>', 'List<String>, <your-token> and /users/<id>'],
  ['see https://example.org/_foo_/b &amp; more', 'see https://example.org/_foo_/b & more'],
  ['[ref]: https://example.org\n\nonly [ref]', 'only ref'],
  ['see [this](javascript:alert(1)) now', 'see [this](javascript:alert(1)) now'],
  ['one   two\t three', 'one two three'],
  ['one\ntwo  \nthree', 'one\ntwo\nthree'],
  ['```\none\n\n\n  two\n```\nthree', 'one\ntwo\nthree'],
  ['one<br>two', 'one\ntwo'],
])('plainText reads %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
