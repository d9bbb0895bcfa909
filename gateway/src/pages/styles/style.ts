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
