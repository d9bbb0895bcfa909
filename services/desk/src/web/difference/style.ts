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
