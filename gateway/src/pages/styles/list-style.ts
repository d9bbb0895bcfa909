import { controlStyle } from '@knowledge/runtime/html';

/** The style of lists: entries, search, pager, and the columns of the first page. */
export const listStyle = `
.hero { padding-bottom: 1rem; }
main > .hero { max-width: 44rem; }
.columns > div > section { margin-top: 2.6rem; }
.columns h2 { margin: 0 0 .9rem; padding-bottom: .55rem; border-bottom: 1px solid var(--line); font: 600 .9375rem/1.4 var(--sans); letter-spacing: 0; }
.columns .entries-list > li:first-child { border: 0; padding-top: 0; }
.entries-list { list-style: none; padding: 0; margin: 0; max-width: var(--measure); }
.entries-list > li { margin: 0; padding-block: 1.15rem 1.2rem; border-top: 1px solid var(--line); }
.entries-list :is(h2, h3, h4) { margin: 0 0 .3em; padding: 0; border: 0; font: 650 1.2rem/1.3 var(--serif); }
.entries-list :is(h2, h3, h4) a { color: var(--ink); text-decoration-color: var(--edge); }
.entries-list :is(h2, h3, h4) a:hover { text-decoration-color: currentcolor; }
.entries-list p { margin: 0 0 .35em; }
.entries-list .byline { margin: 0; }
.tagged a { display: inline-flex; align-items: center; min-height: 1.6rem; margin-inline-end: .6em; color: inherit; }
.mark { padding: .05em .45em; border: 1px solid var(--edge); border-radius: 1em; font-size: .75rem; }
.facets { max-width: var(--measure); font-family: var(--sans); }
.facets h2 { font: 600 .9375rem/1.4 var(--sans); margin: 2rem 0 .7rem; }
.entries-list .note { font-size: .95em; }
.listed { margin: 2rem 0 .9rem; font: 600 .9375rem/1.4 var(--sans); letter-spacing: 0; }
.weak summary { min-height: 2rem; margin-top: 2rem; color: var(--accent); cursor: pointer; }
.weak h2 { display: inline; padding: 0; border: 0; font-weight: 400; }
.ask { margin-bottom: 1.6rem; }
.ask .search { max-width: none; margin-block: 1.2rem; }
.ask input { min-height: 3.4rem; font-size: 1.25rem; }
.ask button { padding-inline: 1.6rem; }
mark { padding: .05em .1em; border-radius: 2px; background: var(--found); color: inherit; }
.count { margin-inline-start: .5em; color: var(--soft); font-variant-numeric: tabular-nums; }
.note { padding-inline-start: .9em; border-inline-start: 2px solid var(--accent); font-style: italic; }
.more { margin-top: .6rem; font: .9375rem/1.5 var(--sans); }
.more a, .pager a, .kinds a { display: inline-flex; align-items: center; min-height: 2rem; }
.asked .question { font-size: 1.15rem; line-height: 1.45; margin: 0 0 .5em; }
article.asked { max-width: var(--measure); padding-block: 1.4rem .6rem; border-top: 1px solid var(--line); }
article.asked .question { font-size: 1.35rem; font-weight: 500; }
section > article.asked:first-of-type { border-top: 0; padding-top: 0; }
article.asked h4 { margin: 1.6rem 0 .7rem; font: 600 .875rem/1.4 var(--sans); color: var(--soft); }
.aside :is(p, li) { font: .9375rem/1.5 var(--sans); color: var(--soft); }
@media (min-width: 60rem) {
  .narrow { display: none; }
  .columns { display: grid; grid-template-columns: minmax(0, var(--measure)) minmax(0, 18rem); gap: 0 3rem; justify-content: space-between; }
  .columns > div + div .entries-list :is(h2, h3, h4) { font-size: 1.0625rem; }
  .columns > div + div .question { font-size: 1.0625rem; }
  .columns .plain { font-size: 1.0625rem; }
  main:has(> :is(search, .kinds)) { display: grid; grid-template-columns: minmax(0, var(--measure)) minmax(0, 18rem); gap: 0 3rem; justify-content: space-between; }
  main > :is(search, .kinds) { grid-area: 1 / 2; align-self: start; }
  main > search .search { margin-block: .6rem; }
  main > .kinds { flex-direction: column; margin-top: .4rem; }
}

${controlStyle}main > .kinds { margin-top: -.6rem; }
.search { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .4rem .6rem; max-width: 30rem; margin-block: 1.6rem; }
.search label { grid-column: 1 / -1; color: var(--soft); font-size: .875rem; font-weight: 500; }
.search button { border-width: 1px; font-weight: 500; }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; max-width: var(--measure); margin-top: 1.2rem; padding-top: 1rem; border-top: 1px solid var(--line); font: .9375rem/1.5 var(--sans); }
.kinds { display: flex; flex-wrap: wrap; gap: 0 1.35rem; margin-bottom: 1.6rem; font: .9375rem/1.5 var(--sans); }
.kinds a { color: var(--soft); text-decoration: none; }
.kinds :is(a:hover, [aria-current]) { color: var(--ink); text-decoration: underline; text-underline-offset: .4em; }
`;

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
