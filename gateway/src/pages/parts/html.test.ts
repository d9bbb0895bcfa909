import { expect, it } from 'vitest';
import { html, trusted } from './html.js';

it('escapes every value that is not markup, also in attributes', () => {
  const hostile = `"><script>alert('1')</script>&`;
  expect(html`<p title="${hostile}">${hostile}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
  );
});

it('takes markup as it is, lists in order, and nothing for what is absent', () => {
  expect(html`${[html`<b>${1}</b>`, trusted('<i>2</i>')]}${undefined}${false}${0}`.markup).toBe('<b>1</b><i>2</i>0');
});
