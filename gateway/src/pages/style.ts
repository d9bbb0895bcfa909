/** The style of every page: typography first, light and dark as the reader's system says. */
export const style = `:root {
  color-scheme: light dark;
  --paper: #fcfbf8;
  --shade: #f3f1ea;
  --line: #dedacf;
  --ink: #1f1e1b;
  --soft: #5f5b52;
  --accent: #1a5a45;
  --serif: Charter, 'Bitstream Charter', 'Source Serif 4', 'Sitka Text', Cambria, Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171714;
    --shade: #21211d;
    --line: #3a3933;
    --ink: #e9e6de;
    --soft: #aaa599;
    --accent: #86cbae;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: clamp(1.0625rem, 1rem + .4vw, 1.1875rem)/1.6 var(--serif);
  overflow-wrap: break-word;
}
.top, .frame, footer { max-width: 44rem; margin-inline: auto; padding-inline: 1.25rem; }
.top {
  display: flex;
  flex-wrap: wrap;
  gap: .35rem 1.5rem;
  align-items: baseline;
  justify-content: space-between;
  padding-block: 1.4rem 1.1rem;
  font: .9375rem/1.5 var(--sans);
}
.top a { color: var(--soft); text-decoration: none; }
.top .name { color: var(--ink); font-weight: 600; }
.top nav { display: flex; gap: 1.25rem; }
.top a:hover, .top [aria-current] { color: var(--ink); text-decoration: underline; }
main { padding-block: 2rem 3rem; min-width: 0; }
footer {
  padding-block: 0 3rem;
  color: var(--soft);
  font: .875rem/1.55 var(--sans);
}
footer p { border-top: 1px solid var(--line); padding-top: 1.25rem; }
a { color: var(--accent); text-decoration-thickness: .06em; text-underline-offset: .17em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
.skip { position: absolute; inset: -10rem auto auto 1rem; padding: .6rem 1rem; background: var(--paper); font-family: var(--sans); }
.skip:focus { inset-block-start: 1rem; }

h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-wrap: balance; margin: 2.2em 0 .6em; font-weight: 650; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2.4vw, 2.6rem); line-height: 1.15; letter-spacing: -.012em; margin: 0 0 .45em; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.2rem; }
h4, h5, h6 { font-size: 1.05rem; }
p, ul, ol, blockquote, pre, .scroll { margin: 0 0 1.1em; }
ul, ol { padding-inline-start: 1.4em; }
li { margin-block: .3em; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5em 0; }
blockquote { margin-inline: 0; padding-inline-start: 1.1em; border-inline-start: 3px solid var(--line); color: var(--soft); }
blockquote strong { color: var(--ink); }
code, pre { font-family: var(--mono); font-size: .84em; }
code { background: var(--shade); border-radius: 3px; padding: .12em .32em; }
pre { background: var(--shade); border-radius: 6px; padding: .95rem 1.1rem; overflow-x: auto; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: 1em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font: .9rem/1.45 var(--sans); font-variant-numeric: tabular-nums; }
th, td { padding: .5em .9em .5em 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th { font-weight: 600; color: var(--soft); }
.right { text-align: end; }
.center { text-align: center; }

.kicker, .byline, .small, .tags, .contents { font-family: var(--sans); font-size: .9rem; line-height: 1.5; color: var(--soft); }
.kicker { margin: 0 0 .8em; }
.lede { font-size: 1.3rem; line-height: 1.45; color: var(--soft); text-wrap: pretty; }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; padding: 0; }
.tags li { margin: 0; padding: .1em .65em; border: 1px solid var(--line); border-radius: 1em; }
article > header { margin-bottom: 2.4rem; }
aside { margin-top: 3.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
aside h2 { font-size: 1.15rem; margin: 0 0 .6em; }
.prompt { font-style: italic; }
.prompt .small { font-style: normal; margin-bottom: .3em; }
.latest ol { list-style: none; padding: 0; }
.latest li { margin: 0; padding-block: 1.1rem; border-top: 1px solid var(--line); }
.latest h2 { margin-bottom: .8em; }
.latest h3 { margin: 0 0 .3em; }
.latest h3 a { color: inherit; text-decoration-color: var(--line); }
.latest p { margin: 0 0 .3em; }
.failure { padding-block: 2rem; }
.failure .kicker { font-size: 1.3rem; }

.guide h2 { font-size: 1.75rem; margin-top: 2.2em; padding-top: 1.2em; border-top: 1px solid var(--line); }
.guide h3 { font-size: 1.35rem; }
.guide h4 { font: 600 1rem/1.4 var(--mono); margin-top: 2.8em; overflow-wrap: anywhere; }
.guide h4 code { font-size: .8rem; background: var(--accent); color: var(--paper); padding: .2em .5em; margin-inline-end: .35em; }
.guide :is(td code, td:first-child) { white-space: nowrap; }
.guide td { min-width: 4.5rem; }
.guide td:last-child { min-width: 12rem; }
.guide pre { font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.contents ul { list-style: none; padding: 0; margin: 0; }
.contents ul ul { padding-inline-start: 1em; margin-bottom: .6em; }
.contents p { font-weight: 600; color: var(--ink); margin-bottom: .5em; }
.contents li { margin-block: .15em; }
.contents a { display: inline-block; padding-block: .1em; color: inherit; text-decoration: none; }
.contents a:hover { color: var(--ink); text-decoration: underline; }
@media (max-width: 67.99rem) {
  .contents { padding-block: .9rem; border-block: 1px solid var(--line); }
  .contents p { display: none; }
  .contents ul { display: flex; flex-wrap: wrap; gap: 0 1.1em; }
  .contents li, .contents ul ul { display: contents; }
}
@media (min-width: 68rem) {
  body:has(.contents) :is(.top, .frame, footer) { max-width: 67rem; }
  .frame:has(.contents) { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 3.5rem; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-block: 2.4rem; }
  .guide :is(p, ul, ol, blockquote, h1) { max-width: 42rem; }
}
@media print {
  .top nav, .contents, .skip, footer { display: none; }
  body { font-size: 11pt; background: none; }
}
`;
