import { baseStyle, frameStyle } from '@knowledge/runtime/html';

/** The style of every page. */
export const style = `${baseStyle}
${frameStyle}
.failure { max-width: var(--measure); padding-block: 1.5rem; }
.failure .status { margin: 0 0 .1em; font: 300 4.5rem/1 var(--sans); letter-spacing: -.03em; color: var(--edge); }
.failure .small { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media print {
  .top nav, .contents, .toc, .skip, .search, .pager, .kinds, .onward, .rail section:has(> #forAgents), footer > :not(.printed) { display: none; }
  .printed { display: block; overflow-wrap: anywhere; }
  body { font-size: 10.5pt; background: none; color: #000; }
  .top, .frame, footer { max-width: none; padding-inline: 0; }
  main > article, .rail, .entries-list { max-width: none; }
  main { padding-block: 1rem; }
  table { font-size: 8.5pt; }
  .rail, .byline { font-size: 9pt; }
  pre, .scroll { background: none; overflow: visible; }
  .text a[href^='http']::after { content: ' (' attr(href) ')'; font-size: .85em; overflow-wrap: anywhere; }
  h1, h2, h3, h4 { break-after: avoid; }
  pre, blockquote, tr { break-inside: avoid; }
  pre { white-space: pre-wrap; }
}
`;

/** The style of pages with one text: an article, an object, or the guide with its contents. */
export const textStyle = `
main:has(> .rail) { display: grid; gap: 0 3rem; }
article > header { margin-bottom: 2.2rem; }
main > article { max-width: var(--measure); min-width: 0; }
.kicker { margin: 0 0 .7em; }
.kicker a { display: inline-flex; align-items: center; min-height: 1.6rem; color: inherit; }
article > header .byline { padding-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
.prompt { margin-top: 1.5rem; color: inherit; }
.prompt .byline, article > header .prompt .byline { margin-bottom: .3em; padding: 0; border: 0; }
.question { font-style: italic; }
.prompt .question { margin: 0; }
.toc { margin-bottom: 2rem; padding: .9rem 1.1rem .7rem; background: var(--shade); border-radius: 6px; font: .9375rem/1.45 var(--sans); }
.toc h2 { margin: 0 0 .4em; font: 600 .875rem/1.4 var(--sans); color: var(--soft); letter-spacing: 0; }
.toc ol { margin: 0; padding-inline-start: 1.4em; }
.toc li { margin: 0; }
.toc a { display: inline-block; padding-block: .3em; }
.onward { max-width: var(--measure); margin-top: 2.5rem; padding-top: .8rem; border-top: 1px solid var(--line); }
.onward h2 { margin: .6rem 0 .7rem; font: 600 .9375rem/1.4 var(--sans); letter-spacing: 0; }
.beside { margin-top: 1.2rem; font-size: 1rem; }
.beside p { margin: 0 0 .5em; }
.beside .byline { display: block; }
.about dt { font-weight: 600; }
.about dd { margin: 0 0 .8em; }
main > .wide { max-width: none; }
.wide > :not(.scroll) { max-width: var(--measure); }
.about td { min-width: 7rem; }
.about td:first-child { min-width: 14rem; }
@media (max-width: 44rem) {
  .about thead { display: none; }
  .about tr, .about td { display: block; min-width: 0; border: 0; }
  .about tr { padding-block: .8rem; border-top: 1px solid var(--line); }
  .about td::before { content: attr(data-label); font-weight: 600; }
}
.text > :first-child { margin-top: 0; }
.text h2 { margin-top: 2em; }
.rail { margin-top: 2.5rem; padding-top: .4rem; border-top: 1px solid var(--line); font: .9375rem/1.5 var(--sans); max-width: var(--measure); }
.rail section { padding-block: .8rem; }
.rail h2 { margin: 0 0 .5em; font: 600 .875rem/1.4 var(--sans); color: var(--soft); letter-spacing: 0; }
.rail p { margin: 0; color: var(--soft); }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; padding: 0; margin: 0; }
.tags li { margin: 0; }
.tags a { display: inline-flex; align-items: center; min-height: 1.8rem; padding: 0 .7em; border: 1px solid var(--line); border-radius: 1em; color: inherit; text-decoration: none; font-size: .875rem; }
.tags a:hover { border-color: var(--edge); }
.plain { list-style: none; padding: 0; margin: 0; }
.plain li { margin: 0 0 .7em; line-height: 1.4; }
.plain a { display: inline-block; padding-block: .1em; color: inherit; text-decoration-color: var(--edge); }
.plain a:hover { text-decoration-color: currentcolor; }
@media (min-width: 60rem) {
  main:has(> .rail) { grid-template-columns: minmax(0, var(--measure)) minmax(0, 15rem); justify-content: space-between; }
  .rail { margin-top: 0; padding-top: 0; border: 0; }
  .onward { grid-column: 1; }
}

.guide h2 { font-size: 1.75rem; margin-top: 2.2em; padding-top: 1.2em; border-top: 1px solid var(--line); }
.guide h3 { font-size: 1.35rem; }
.guide h4 { font: 600 1rem/1.4 var(--mono); margin-top: 2.8em; overflow-wrap: anywhere; }
.guide h4 code { font-size: .8rem; background: var(--accent); color: var(--paper); padding: .2em .5em; margin-inline-end: .35em; }
.guide :is(td code, td:first-child) { white-space: nowrap; }
.guide td { min-width: 4.5rem; }
.guide td:last-child { min-width: 12rem; }
.guide pre { font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
main > .guide { max-width: none; }
.guide :is(p, ul, ol, blockquote, h1) { max-width: 42rem; }
.contents ul { list-style: none; padding: 0; margin: 0; }
.contents ul ul { padding-inline-start: 1em; margin-bottom: .5em; }
.contents p { font-weight: 600; color: var(--ink); margin-bottom: .4em; }
.contents li { margin: 0; }
.contents a { display: inline-flex; align-items: center; min-height: 1.65rem; color: inherit; text-decoration: none; }
.contents a:hover { color: var(--ink); text-decoration: underline; }
@media (max-width: 63.99rem) {
  .contents { margin-top: .6rem; padding-block: .6rem; border-block: 1px solid var(--line); }
  .contents p { display: none; }
  .contents ul { display: flex; flex-wrap: wrap; gap: 0 1.1em; }
  .contents li, .contents ul ul { display: contents; }
}
@media (min-width: 64rem) {
  .frame:has(.contents) { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 3.5rem; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-block: 3.4rem; }
}
`;
