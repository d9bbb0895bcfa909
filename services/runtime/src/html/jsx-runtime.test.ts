import { expect, it } from 'vitest';
import { trusted, xmlDocument } from './html.js';
import { Fragment, jsx } from './jsx-runtime.js';

it('escapes every value that is not markup, also in attributes', () => {
  const hostile = `"><script>alert('1')</script>&`;
  expect(jsx('p', { title: hostile, children: hostile }).markup).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
  );
});

it('takes markup as it is, lists in order, and nothing for what is absent', () => {
  const children = [jsx('code', { children: 1 }), trusted('<i>2</i>'), undefined, false, 0] as const;
  expect(jsx(Fragment, { children }).markup).toBe('<code>1</code><i>2</i>0');
});

it('leaves out attributes that are absent or false, and writes those that are true by their name alone', () => {
  const attributes = { name: '', value: undefined, checked: false, required: true };
  expect(jsx('input', attributes).markup).toBe('<input name="" required>');
});

it('ends the elements of XML that have no content', () => {
  const feed = jsx('feed', { children: [jsx('link', { href: '/?a=>&b' }), jsx('category', { term: 'a' })] });
  expect(xmlDocument(feed)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed><link href="/?a=&gt;&amp;b"/><category term="a"/></feed>\n',
  );
});
