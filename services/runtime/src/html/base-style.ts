/** The style that all pages begin with: colours of the reader's system, fonts, and the elements of texts. */
export const baseStyle = `:root {
  color-scheme: light dark;
  --paper: #fcfbf8;
  --shade: #f4f2eb;
  --line: #dfdbd0;
  --edge: #8a8477;
  --shadow: #0000002e;
  --found: #f6e3a1;
  --ink: #1f1e1b;
  --soft: #5d594f;
  --accent: #17573f;
  --serif: Charter, 'Bitstream Charter', 'Iowan Old Style', 'Source Serif 4', 'Sitka Text', Cambria, Georgia, 'Noto Serif', serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace;
  --measure: 38rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171714;
    --shade: #21211d;
    --line: #393832;
    --edge: #868174;
    --shadow: #000000a0;
    --found: #5c4a12;
    --ink: #e8e5dc;
    --soft: #aca79b;
    --accent: #8acdb1;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: clamp(1.0625rem, 1rem + .35vw, 1.1875rem)/1.6 var(--serif);
  overflow-wrap: break-word;
}
a { color: var(--accent); text-decoration-thickness: .06em; text-underline-offset: .17em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
main:focus { outline: none; }
::selection { background: var(--accent); color: var(--paper); }

h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-wrap: balance; margin: 2.2em 0 .6em; font-weight: 650; }
h1 { font-size: clamp(1.9rem, 1.35rem + 2.4vw, 2.7rem); line-height: 1.14; letter-spacing: -.014em; margin: 0 0 .5em; hyphens: auto; hyphenate-limit-chars: 15 6 5; }
h2 { font-size: 1.5rem; letter-spacing: -.006em; }
h3 { font-size: 1.2rem; }
h4, h5, h6 { font-size: 1.05rem; }
p, ul, ol, blockquote, pre, .scroll { margin: 0 0 1.1em; }
p { text-wrap: pretty; }
ul, ol { padding-inline-start: 1.4em; }
li { margin-block: .3em; }
li[dir] { list-style-position: inside; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2.5em 0; }
blockquote { margin-inline: 0; padding-inline-start: 1.1em; border-inline-start: 3px solid var(--line); color: var(--soft); }
blockquote strong { color: var(--ink); }
blockquote:is(.note, .tip, .important, .warning, .caution) { border-color: var(--accent); color: inherit; }
.footnote { display: grid; grid-template-columns: max-content 1fr; gap: .5em; font-size: .9em; }
.asis { white-space: pre-wrap; }
code, pre { font-family: var(--mono); font-size: .84em; }
/* A shadow at the side on which something is out of sight; it moves with the text, the cover does not. */
pre, .scroll {
  --ground: var(--paper);
  background:
    linear-gradient(90deg, var(--ground) 40%, transparent) 0 0 / 2.4rem 100% no-repeat local,
    linear-gradient(-90deg, var(--ground) 40%, transparent) 100% 0 / 2.4rem 100% no-repeat local,
    linear-gradient(90deg, var(--shadow), transparent) 0 0 / .8rem 100% no-repeat,
    linear-gradient(-90deg, var(--shadow), transparent) 100% 0 / .8rem 100% no-repeat,
    var(--ground);
}
pre { --ground: var(--shade); }
code { background: var(--shade); border-radius: 3px; padding: .12em .32em; }
pre, code { direction: ltr; unicode-bidi: isolate; }
pre { text-align: left; border-radius: 6px; padding: .95rem 1.1rem; overflow-x: auto; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: 1em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font: .9rem/1.45 var(--sans); font-variant-numeric: tabular-nums; }
th, td { padding-block: .5em; padding-inline: 0 .9em; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th { font-weight: 600; color: var(--soft); }
.right { text-align: end; }
.center { text-align: center; }
`;

/**
 * The style of labels, fields and buttons. A button takes no click at first: the second one of a double click was meant for
 * what stood there before.
 */
export const controlStyle = `@keyframes settle { from, to { pointer-events: none } }
form[method=post]:not(details *) button { animation: settle .7s; }
label { font: 600 .9375rem/1.4 var(--sans); }
input { min-height: 2.75rem; padding: .4rem .8rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: inherit; font: 1rem/1.4 var(--sans); max-width: 100%; }
button { min-height: 2.75rem; padding: .4rem 1.2rem; border: 2px solid var(--accent); border-radius: 6px; background: none; color: var(--accent); font: 600 1rem/1.4 var(--sans); cursor: pointer; }
button:hover { background: var(--shade); }
`;

/** The style of what surrounds the content of a page, header, main part and footer, and of its small words. */
export const frameStyle = `.top, .frame, footer { max-width: 66rem; margin-inline: auto; padding-inline: clamp(1.1rem, 4vw, 2rem); }
.top {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: center;
  gap: .25rem 1.5rem;
  padding-block: 1.1rem .6rem;
  font: .9375rem/1.4 var(--sans);
}
.top a { display: inline-flex; align-items: center; min-height: 2rem; color: var(--soft); text-decoration: none; }
.top :is(a:hover, [aria-current]) { color: var(--ink); text-decoration: underline; text-underline-offset: .4em; }
.top .name { justify-self: start; color: var(--ink); font-weight: 650; letter-spacing: -.005em; }
.top .name:hover { text-underline-offset: .3em; }
.sections { grid-column: 1 / -1; display: flex; flex-wrap: wrap; column-gap: 1.35rem; }
@media (max-width: 24rem) { .sections { column-gap: .9rem; font-size: .875rem; } }
.sites { display: flex; justify-self: start; border: 1px solid var(--line); border-radius: 1.1rem; }
.sites a { min-height: 1.8rem; padding-inline: .75rem; border-radius: 1.1rem; font-size: .875rem; }
.top .sites [aria-current] { background: var(--shade); text-decoration: none; font-weight: 600; }
@media (min-width: 52rem) {
  .top { grid-template-columns: minmax(0, 1fr) auto auto; column-gap: 1.6rem; padding-block: 1.5rem .8rem; }
  .sections { grid-area: 1 / 2; column-gap: 1.15rem; }
  .sites { grid-area: 1 / 3; }
}
main { padding-block: clamp(1.6rem, 5vw, 3.2rem) 3.5rem; min-width: 0; }
main > header { max-width: var(--measure); }
footer { padding-block: 1.25rem 3rem; color: var(--soft); font: .875rem/1.55 var(--sans); }
footer { border-top: 1px solid var(--line); }
footer p { margin: 0 0 .6rem; }
footer .links { display: flex; flex-wrap: wrap; gap: 0 1.35rem; list-style: none; padding: 0; margin: 0; }
footer .links li { margin: 0; }
footer .links a { display: inline-flex; align-items: center; min-height: 2rem; }
.skip { position: absolute; inset: -10rem auto auto 1rem; z-index: 1; padding: .6rem 1rem; background: var(--paper); font-family: var(--sans); }
.skip:focus { inset-block-start: 1rem; }

.kicker, .byline, .small, .contents { font-family: var(--sans); font-size: .875rem; line-height: 1.5; color: var(--soft); }
.byline > span { display: inline-block; }
.byline, h1, h2, h3, bdi { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.small { font-size: .8125rem; overflow-wrap: anywhere; }
.small code { font-size: 1em; }
.printed { display: none; }
.lede { font-size: 1.25rem; line-height: 1.45; color: var(--soft); }
`;
