import { baseStyle, controlStyle, frameStyle } from '@knowledge/runtime/html';

/** The style of what all pages of the web desk have, on top of the style that both sites share. */
export const layoutStyle = `${baseStyle}${frameStyle}${controlStyle}
.top, .frame, footer { max-width: 90rem; }
.top form { margin: 0; }
.who { display: flex; align-items: center; justify-self: end; gap: .25rem 1rem; flex-wrap: wrap; }
.who button { min-height: 2rem; padding: .1rem .8rem; border-width: 1px; font-size: .875rem; }
.pages-of { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding-block: .5rem 0; font: .9375rem/1.5 var(--sans); }
.pages-of a { display: inline-flex; align-items: center; min-height: 2rem; text-decoration: none; }
.pages-of a[aria-current] { font-weight: 600; text-decoration: underline; text-underline-offset: .3em; }
main { padding-block-start: clamp(1rem, 2vw, 1.6rem); font-family: var(--sans); font-size: 1rem; }
main h1 { font-size: 1.6rem; }
main h2 { font-size: 1.2rem; }
#messages:empty { display: none; }
#messages, .notice { margin: 0 0 1.2rem; padding: .7rem 1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); background: var(--shade); }
#messages p, .notice p, .notice h2 { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { margin: 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
.cards p { margin: .3rem 0 0; color: var(--soft); }
.odd { padding: 0 .15em; border-radius: 3px; background: var(--found); color: inherit; font-weight: 600; }
.kept { white-space: pre-wrap; }
td:has(> bdi) { min-width: 7rem; }
td:has(> time) { min-width: 10rem; }
td:has(> a:first-child) { min-width: 14rem; }
td:last-child:has(> a:first-child) { min-width: 6rem; }
td .small { display: block; }
.scroll td:first-child { min-width: 11rem; }
.state { display: inline-block; padding: .05rem .55rem; border: 1px solid var(--edge); border-radius: 1rem; font-size: .875rem; white-space: nowrap; }
.facts { display: grid; gap: .3rem; margin: 0 0 1.2rem; overflow-wrap: anywhere; }
.facts > div { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: .8rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.text { max-width: var(--measure); font-family: var(--serif); }
.shown { margin-block-end: 1.2rem; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
.shown pre { white-space: pre-wrap; overflow-wrap: anywhere; }
#preview summary { cursor: pointer; font-weight: 600; margin-block: .6rem; }
`;
