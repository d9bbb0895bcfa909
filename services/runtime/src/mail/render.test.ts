import { expect, it } from 'vitest';
import { type MailDraft, renderMail } from './render.js';

const draft: MailDraft = {
  subject: 'A subject',
  preview: 'What it is about',
  blocks: [
    {
      kind: 'paragraph',
      text: ['Hello ', { strong: 'you' }, ', this is a paragraph that is long enough to be wrapped.'],
    },
    {
      kind: 'facts',
      rows: [
        ['Agent', 'Atlas'],
        ['Asked', '1 June 2026'],
      ],
    },
    { kind: 'code', value: 'WDJB-MJHT' },
    { kind: 'list', items: ['one', 'two'] },
    { kind: 'button', label: 'Look', url: 'https://example.org/x?code=a&b=c' },
    { kind: 'quote', text: 'first\n\nsecond', by: 'An editor' },
    { kind: 'note', text: 'small' },
  ],
  footer: ['Why you get this.'],
};

it('has the same content in text and HTML', () => {
  const { text, html } = renderMail(draft);
  expect(text).toBe(`A subject
---------

Hello you, this is a paragraph that is long enough to be wrapped.

  Agent:  Atlas
  Asked:  1 June 2026

        WDJB-MJHT

  - one
  - two

Look:
https://example.org/x?code=a&b=c

> first
>
> second
  An editor

small

-- 
Why you get this.
`);
  expect(html).toContain('href="https://example.org/x?code=a&amp;b=c"');
  expect(html).toContain('Or copy this link:<br>https://example.org/x?code=a&amp;b=c</p>');
  expect(html).toContain('<strong>you</strong>');
  // Arabic begins at the right, with its bar.
  expect(html).toMatch(/<div class="box" dir="auto" style="[^"]*text-align:start[^"]*border-inline-start/);
  expect(html).not.toMatch(/<img|<script|src=|url\(|https?:\/\/(?!example\.org)/);
});

it('names the operator in both parts once it is signed', () => {
  const operator = {
    name: 'Example Ltd',
    contact: { text: 'help@example.org', url: 'mailto:help@example.org', email: 'help@example.org' },
    privacyUrl: 'https://example.org/privacy',
    imprintUrl: 'https://example.org/imprint',
    license: { name: 'CC0' },
  };
  const { text, html } = renderMail(draft).signedBy(operator);
  expect(text.split('-- \n')[1]).toBe(`Why you get this.
Run by Example Ltd. Questions? Write to help@example.org
Privacy: https://example.org/privacy
Imprint: https://example.org/imprint
`);
  expect(html).toContain('<a href="mailto:help@example.org" style="color:inherit">help@example.org</a>');
  expect(html).toContain('<a href="https://example.org/privacy" style="color:inherit">Privacy</a>');
});

it('wraps lines but not URLs', () => {
  const url = `https://example.org/${'x'.repeat(100)}`;
  const { text } = renderMail({
    ...draft,
    blocks: [
      { kind: 'paragraph', text: 'word '.repeat(60) },
      { kind: 'button', label: 'Go', url },
    ],
  });
  expect(text.split('\n').filter((line) => line.length > 72)).toEqual([url]);
});

it('lets no text become markup or change the reading direction', () => {
  const hostile = `<img src=x onerror=alert(1)>&"'\u202e\u200b\u{e0041}\u2066\u2028\u0000\r\n`;
  const { html, text } = renderMail({
    ...draft,
    blocks: [
      { kind: 'paragraph', text: hostile },
      { kind: 'quote', text: hostile, by: hostile },
      { kind: 'facts', rows: [['x', hostile]] },
      { kind: 'code', value: hostile },
    ],
  });
  expect(html).not.toContain('<img');
  for (const part of [html, text]) expect(part).not.toMatch(/[\u202e\u200b\u{e0041}\u2066\u2028\0\r]/u);
});

it('accepts only http and https links', () => {
  const blocks = [{ kind: 'button', label: 'x', url: 'javascript:alert(1)' }] as const;
  expect(() => renderMail({ ...draft, blocks })).toThrow(TypeError);
});
