/** The style of the pages of editors. */
export const articlesStyle = `
.edit { display: grid; gap: 1.1rem; }
.edit > div, .two > div { display: grid; gap: .3rem; align-content: start; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1.1rem; }
td input[type=radio] { min-height: 1.5rem; width: 1.5rem; margin: 0; }
.edit > .two { gap: 1.1rem; }
.edit :is(input:not([type=checkbox], [type=radio]), select, textarea) { width: 100%; }
.edit input[type=checkbox] { min-height: 0; width: 1.2rem; height: 1.2rem; vertical-align: middle; }
.edit fieldset label { display: inline-block; margin-inline-end: 1rem; }
.edit textarea { margin: 0; padding: .6rem .8rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: inherit; font: .9375rem/1.5 var(--mono); max-width: 100%; }
.filters select { min-height: 2.75rem; padding: .4rem .8rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: inherit; font: 1rem/1.4 var(--sans); max-width: 100%; }
.hint { margin: 0; color: var(--soft); font-size: .875rem; }
.fault { margin: 0; font-weight: 600; color: var(--fault); }
[aria-invalid] { border: 2px solid var(--fault); }
:root { --fault: #9a2f24; }
@media (prefers-color-scheme: dark) { :root { --fault: #f0a39a; } }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: 0 0 1.2rem; padding: 0; list-style: none; }
.buttons li { margin: 0; }
.buttons form { margin: 0; }
.buttons a.button, p a.button { display: inline-block; padding: .45rem 1.1rem; border: 1px solid var(--edge); border-radius: 6px; font-weight: 600; text-decoration: none; }
button.main { background: var(--accent); color: var(--paper); }
.filters { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end; margin: 0 0 1.2rem; }
.filters div { display: grid; gap: .3rem; }
.state { display: inline-block; padding: .05rem .55rem; border: 1px solid var(--edge); border-radius: 1rem; font-size: .875rem; white-space: nowrap; }
.text { max-width: var(--measure); font-family: var(--serif); }
.shown { padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
.shown pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.article-facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: 0 0 1.2rem; overflow-wrap: anywhere; }
.article-facts dt { color: var(--soft); }
.article-facts dd { margin: 0; }
#preview summary { cursor: pointer; font-weight: 600; margin-block: .6rem; }
`;
