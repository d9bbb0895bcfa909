/** The style of forms. Fields stand in a column (`fields`, or `edit` for long texts) or in rows that select (`filters`). */
export const formsStyle = `
.fields, .edit { display: grid; gap: 1.1rem; margin-block-end: 1.2rem; }
.fields { max-width: 32rem; justify-items: start; }
.field { display: grid; gap: .3rem; align-content: start; width: 100%; margin: 0; }
.field :is(input, select, textarea) { width: 100%; min-width: 0; margin: 0; }
select, textarea { min-height: 2.75rem; max-width: 100%; padding: .4rem .8rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: inherit; font: 1rem/1.4 var(--sans); }
textarea { display: block; width: 100%; margin-block: .3rem; resize: vertical; }
.edit { max-width: 60rem; }
.edit textarea { padding-block: .6rem; }
.edit [name=body] { font: .9375rem/1.5 var(--mono); }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: 1.1rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: .5rem .8rem; align-items: end; margin: .5rem 0 1.2rem; }
.filters label { font-size: .8125rem; color: var(--soft); }
.filters .check { align-self: center; }
.check { display: inline-block; }
.check input { min-height: 0; width: 1.2rem; height: 1.2rem; vertical-align: middle; }
fieldset .check { margin-inline-end: 1rem; }
.hint { margin: 0; color: var(--soft); font-size: .875rem; }
.fault { margin: 0; font-weight: 600; color: var(--fault); }
[aria-invalid] { border: 2px solid var(--fault); }
:root { --fault: #9a2f24; }
@media (prefers-color-scheme: dark) { :root { --fault: #f0a39a; } }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: 0 0 1.2rem; padding: 0; list-style: none; }
.buttons li { margin: 0; }
.buttons form { margin: 0; }
.buttons a.button, p a.button { display: inline-block; padding: .45rem 1.1rem; border: 1px solid var(--edge); border-radius: 6px; font-weight: 600; text-decoration: none; }
button[hidden][hidden] { display: none; }
button.main { background: var(--accent); color: var(--paper); }
.inline { display: inline-flex; flex-wrap: wrap; max-width: 100%; gap: .6rem; align-items: center; margin: 0; }
.inline input:not([type=checkbox]) { min-width: 0; max-width: 100%; min-height: 2rem; padding: .1rem .6rem; }
.inline button { min-height: 2rem; padding: .1rem .8rem; border-width: 1px; font-size: .875rem; }
`;
