import type { Block, Words } from '@knowledge/runtime/difference';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { isEqual, type TextDifference } from '../base/difference.js';
import { words } from '../base/text.js';
import { marked } from './values.js';

/** Shows a difference in two columns: what was removed on the left, what was added on the right. */
export function sideBySide(difference: TextDifference, before: Fragment, after: Fragment): Html {
  if (isEqual(difference)) return <p class="notice">They do not differ.</p>;
  const { fields, hasOtherBody, hunks } = difference;
  return (
    <table class="difference">
      <thead>
        <tr>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      {fields.map(({ field, block }) => part(words(field), blockRow(block)))}
      {hunks.map(({ line, blocks }) => part(`body, from line ${line}`, blocks.map(blockRow)))}
      {hasOtherBody && hunks.length === 0 && part('body', onlyLineEnds)}
    </table>
  );
}

const onlyLineEnds = (
  <tr>
    <td colspan={2}>Only line ends differ.</td>
  </tr>
);

function part(name: string, rows: Fragment) {
  return (
    <tbody>
      <tr>
        <th scope="colgroup" colspan={2}>
          {name}
        </th>
      </tr>
      {rows}
    </tbody>
  );
}

function blockRow(block: Block) {
  if ('same' in block) {
    const text = marked(block.same.join('\n'));
    return (
      <tr>
        <td dir="auto">{text}</td>
        <td dir="auto">{text}</td>
      </tr>
    );
  }
  return (
    <tr>
      <td class="removed" dir="auto">
        {sideOf(block.words, 'removed')}
      </td>
      <td class="added" dir="auto">
        {sideOf(block.words, 'added')}
      </td>
    </tr>
  );
}

// Words that changed stand out in a text that kept others; a screen reader hears them as removed and added.
function sideOf(words: readonly Words[], side: 'removed' | 'added'): Fragment {
  return words.map((each) => {
    if (each.in === 'both') return marked(each.text);
    if (each.in !== side) return '';
    return side === 'removed' ? <del>{marked(each.text)}</del> : <ins>{marked(each.text)}</ins>;
  });
}

/** The style of differences in two columns. */
export const differenceStyle = `
.difference { table-layout: fixed; margin-block-end: 1.5rem; }
.difference td { padding: .3rem .6rem; border: 0; border-inline-start: 3px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font: .84rem/1.5 var(--mono); }
.difference th { padding: .8rem .6rem .3rem; overflow-wrap: anywhere; }
.difference .removed { border-color: var(--removed); }
.difference .added { border-color: var(--added); }
.difference del { background: var(--removed-ground); color: var(--ink); text-decoration: line-through; }
.difference ins { background: var(--added-ground); color: var(--ink); text-decoration: underline; }
:root { --removed: #a8433a; --added: #17573f; --removed-ground: #f6d9d4; --added-ground: #cfe8d9; }
@media (prefers-color-scheme: dark) { :root { --removed: #e08a80; --added: #8acdb1; --removed-ground: #54241f; --added-ground: #1c4534; } }
`;
