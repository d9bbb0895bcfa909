/** The style of the queue: a list, beside it the open item. On wide screens nothing moves when something was done. */
export const queueStyle = `
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#outcome { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; min-height: 7.5rem; margin: 0 0 1rem; padding: .5rem 1rem; border-inline-start: 4px solid transparent; border-radius: 4px; line-height: 1.3; }
#outcome:not(:empty) { background: var(--shade); border-color: var(--accent); }
@media (max-width: 39.99rem) { #outcome:empty { min-height: 0; margin: 0; padding: 0; } }
#outcome p { margin: 0; min-width: 0; overflow-wrap: anywhere; }
#outcome q { display: inline-block; max-width: min(11rem, 100%); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
@media (min-width: 40rem) {
  #outcome { min-height: 3.75rem; flex-wrap: nowrap; }
  #outcome q { max-width: min(26rem, 100%); }
}
#outcome form, .decisions form { margin: 0; }
.workspace { display: grid; gap: 1.5rem; }
.workspace h2 { margin: 0 0 .6rem; font-size: 1.15rem; overflow-wrap: anywhere; }
.workspace h3 { margin: 1.6rem 0 .5rem; font-size: 1rem; }
.workspace h4 { margin: .8rem 0 .3rem; font-size: .875rem; color: var(--soft); }
.workspace summary { min-height: 2rem; cursor: pointer; color: var(--accent); }
.list { min-width: 0; padding: .25rem; margin: -.25rem; }
.list ol { list-style: none; margin: 0 0 1rem; padding: 0; border-block-start: 1px solid var(--line); }
.list li { content-visibility: auto; contain-intrinsic-size: auto 4.6rem; margin: 0; padding: .5rem .7rem; border-block-end: 1px solid var(--line); overflow-wrap: anywhere; }
.list li a { display: block; color: var(--ink); text-decoration: none; font-weight: 600; line-height: 1.35; padding-block: .1rem; }
.list li a:hover { text-decoration: underline; }
.list li:has([aria-current]) { background: var(--shade); box-shadow: inset 3px 0 var(--accent); }
.list li.held a { color: var(--soft); font-weight: 400; text-decoration: line-through; }
.item[aria-busy=true] { opacity: .6; }
.list .small { margin: .1rem 0 0; font-size: .8125rem; color: var(--soft); }
.pages { display: flex; justify-content: space-between; gap: 1rem; }
.pages a, .steps a { display: inline-flex; align-items: center; gap: .5rem; min-height: 2rem; }
#news { margin: 0 0 .5rem; font-size: .9375rem; }
.groups { margin-block-end: .6rem; font-size: .9375rem; }
.groups ul { margin: 0; padding: 0; list-style: none; }
.mark { padding: .05em .5em; border: 1px solid var(--edge); border-radius: 1em; font-size: .75rem; white-space: nowrap; }
.item { min-width: 0; overflow-wrap: anywhere; }
.item > header .kicker { margin: 0 0 .2rem; }
.item > header h2 { font: 650 1.5rem/1.25 var(--serif); }
.steps { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0 0 .6rem; font-size: .9375rem; }
.decisions { display: flex; flex-wrap: wrap; gap: .6rem; align-items: flex-start; position: sticky; inset-block-start: 0; z-index: 1; padding-block: .6rem; background: var(--paper); border-block: 1px solid var(--line); }
.decisions p { margin: 0; }
.decisions button, .decisions summary { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.5rem; padding: .3rem .9rem; border: 1px solid var(--accent); border-radius: 6px; color: var(--accent); background: none; font: 600 .9375rem/1.3 var(--sans); list-style: none; }
.decisions summary::-webkit-details-marker { display: none; }
.decisions summary { animation: settle .7s; }
.decisions .with-text[open] { flex: 1 1 100%; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 6px; background: var(--shade); }
.decisions .with-text[open] summary { margin-block-end: .6rem; }
.canned { display: grid; gap: .3rem; margin-block-end: .8rem; }
.canned button { justify-content: flex-start; text-align: start; border-color: var(--line); background: var(--paper); font-weight: 500; }
.notes form { margin: .5rem 0; }
.asked { max-width: 44rem; margin: .5rem 0; padding-inline-start: .8rem; border-inline-start: 4px solid var(--line); }
.open-by { margin: .5rem 0 0; padding: .4rem .8rem; background: var(--found); border-radius: 4px; }
.key { padding: 0 .4em; border: 1px solid currentcolor; border-radius: 4px; font: 500 .75rem/1.5 var(--mono); }
:root:not([data-keys]) :is(.key, .keys, .by-key), [data-keys=off] .key { display: none; }
.warnings { margin-block: 1rem; padding: .2rem 1rem; background: var(--shade); border-inline-start: 4px solid #b3541e; border-radius: 4px; }
.warnings h3 { margin-block: .6rem .3rem; }
.theirs { contain: content; padding: .2rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; font: 1.0625rem/1.6 var(--serif); overflow-wrap: anywhere; max-width: 44rem; }
#outcome button { min-height: 2.25rem; padding: .2rem .9rem; border-width: 1px; font-size: .9375rem; }
.with-text .small { margin-block: .5rem .8rem; }
.theirs > :first-child { margin-block-start: .6rem; }
.theirs > :last-child { margin-block-end: .6rem; }
.theirs :is(h4, h5, h6) { color: inherit; font-size: 1.05rem; margin: 1.2em 0 .4em; }
.sent { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 60vh; overflow-y: auto; unicode-bidi: plaintext; }
.history { margin: 0 0 .6rem; padding-inline-start: 1.2rem; font-size: .9375rem; }
.history q { display: block; color: var(--soft); }
button.keys { margin-block-start: 2rem; }
dialog.keys { max-width: min(34rem, 92vw); margin: auto; padding: 1rem 1.4rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: inherit; font: 1rem/1.5 var(--sans); }
.keys dl > div { display: flex; gap: 1rem; }
.keys dt { min-width: 3rem; font-family: var(--mono); }
.keys dd { margin: 0; }
@media (forced-colors: active) { .list li:has([aria-current]) { border-inline-start: 6px solid Highlight; } }
@media print {
  .top, .pages-of, #outcome, #messages, .list, .steps, .decisions, .item form, .item details:is(:has(form), :not([open])), button.keys { display: none; }
  .workspace, .workspace.opened { display: block; }
  .item :is(.theirs, .sent) { max-width: none; max-height: none; overflow: visible; }
}
@media (max-width: 61.99rem) { .workspace.opened .list ol { max-height: 30vh; overflow-y: auto; } }
@media (min-width: 62rem) {
  .workspace { grid-template-columns: minmax(18rem, 24rem) minmax(0, 1fr); gap: 2.5rem; align-items: start; }
  .list { position: sticky; inset-block-start: .5rem; max-height: calc(100vh - 1rem); overflow-y: auto; }
}
@media (min-width: 120rem) {
  .item > :is(section, details):not(:first-of-type) { max-width: 60rem; }
}
`;
