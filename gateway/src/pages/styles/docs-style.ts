/** The additional style of `/docs`. */
export const docsStyle = `.docs.guide h3 { margin-block: 0 .4em; }
.docs.guide h3 a { color: inherit; text-decoration: none; }
.docs.guide h3 a:hover { text-decoration: underline; }
.docs.guide h4 { font: 600 .9375rem/1.4 var(--sans); margin: 1.8em 0 .6em; }
.docs.guide h5 { font: 500 .9rem/1.4 var(--sans); margin: 1.4em 0 .4em; }
.docs .operation, #schemas section { margin-top: 3rem; }
.docs .operation + .operation { padding-top: 2.4rem; border-top: 1px solid var(--line); }
.docs .call { font-size: .95rem; overflow-wrap: anywhere; }
.docs .call .verb { background: var(--accent); color: var(--paper); font-weight: 600; }
nav.contents a { overflow-wrap: anywhere; }
nav.contents .verb { flex: none; font: 600 .78rem/1.6 var(--mono); margin-inline-end: .4em; white-space: nowrap; }
nav.contents > ul > li > a { font-weight: 600; }
.fields { margin: 0 0 1.2em; font: .9rem/1.5 var(--sans); }
.fields > div { padding-block: .5em; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields > div:last-child { border-bottom: 1px solid var(--line); }
.fields dd { margin: .15em 0 0; }
.fields dt code { background: none; padding: 0; font-weight: 600; font-size: .86rem; }
.fields .facts { color: var(--soft); }
.fields .facts strong { color: var(--ink); font-weight: 600; }
.fields q { display: block; color: var(--soft); }
.docs .command code { user-select: all; -webkit-user-select: all; }
.docs .answer { border-inline-start: 3px solid var(--line); }
.docs.guide summary { cursor: pointer; font: .9rem/1.5 var(--sans); margin-bottom: .6em; }
@media (min-width: 44rem) {
  .fields > div { display: grid; grid-template-columns: minmax(9rem, 13rem) minmax(0, 1fr); gap: 1.25rem; }
  .fields dd { margin: 0; }
}
@media (max-width: 67.99rem) {
  nav.contents > ul { display: block; }
  nav.contents > ul > li { display: block; margin-block: .35em; }
  nav.contents ul ul { display: flex; flex-wrap: wrap; gap: 0 1.1em; margin: 0; }
}
`;
