/** The additional style of the private pages that secret links open. */
export const consentStyle = `
:root { --stop: #8f2f24; }
@media (prefers-color-scheme: dark) { :root { --stop: #f0a69c; } }
body:has(.consent) :is(.top, .frame) { max-width: 40rem; }
.consent h1 { font-size: clamp(1.6rem, 1.3rem + 1.6vw, 2.1rem); overflow-wrap: anywhere; }
.consent h2 { font-size: 1.25rem; margin: 2.2em 0 .6em; }
.consent h2, .consent p, .consent dd { overflow-wrap: anywhere; min-width: 0; }
.consent .code { margin: 0 0 1.1rem; padding: .8rem 1rem; background: var(--shade); border: 1px solid var(--line); border-radius: 6px; font: 600 1.5rem/1.3 var(--mono); letter-spacing: .12em; text-align: center; }
.consent .claims { margin: 1.8rem 0 1.1rem; padding: .2rem 1.1rem 1rem; background: var(--shade); border-left: 4px solid var(--soft); border-radius: 4px; }
.consent .claims h2 { margin-top: .8rem; }
.consent .claims dl { margin: 0; }
.consent .claims dt { color: var(--soft); font: .9rem/1.6 var(--sans); }
.consent .claims dd { margin: 0 0 .6rem; white-space: pre-line; }
.consent .aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.consent .wrong { margin: 0 0 .4rem; padding-left: .8rem; border-left: 4px solid var(--stop); color: var(--stop); }
.consent input[aria-invalid] { border-color: var(--stop); }
.consent input[type=email] { width: 100%; font: 1.1rem/1.4 var(--sans); letter-spacing: 0; }
.consent .tick { display: flex; gap: .7rem; align-items: flex-start; margin: 0; font: 1rem/1.55 var(--sans); }
.consent .tick input { width: 1.15rem; height: 1.15rem; min-height: 0; margin: .2rem 0 0; flex: none; }
.consent .done { padding: .8rem 1rem; background: var(--shade); border-left: 4px solid currentColor; border-radius: 4px; }
.consent .block { margin: 2.4rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.consent .block summary { cursor: pointer; padding: .4rem 0; }
.choice a.button { display: flex; align-items: center; justify-content: center; flex: 1 1 9rem; min-height: 3rem; border: 2px solid; border-radius: 6px; font: 600 1rem/1.4 var(--sans); text-decoration: none; }
.choice { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.8rem 0 1.4rem; }
.choice button { flex: 1 1 9rem; min-height: 3rem; }
.choice button:only-child { flex: 0 1 auto; }
.consent :is(summary, a.button) { animation: settle .7s; }
button.stop { border-color: var(--stop); color: var(--stop); }
.consent label { display: block; margin: 1.5rem 0 .4rem; font-size: 1rem; }
.consent input { font: 1.25rem/1.4 var(--mono); letter-spacing: .08em; border-width: 2px; width: 14rem; }
.entries { list-style: none; padding: 0; }
.entries > li { margin: 0; padding-block: 1rem; border-top: 1px solid var(--line); }
.entries > li > p, .entries form p { margin: 0 0 .25em; }
.entries h3 { margin: .4rem 0; font-size: 1.1rem; overflow-wrap: anywhere; }
.entries .text { margin: .8rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); overflow-wrap: anywhere; }
.entries .text :is(h4, h5, h6) { font-size: 1rem; }
.entries summary { cursor: pointer; padding: .4rem 0; overflow-wrap: anywhere; }
.entries .sure summary { color: var(--stop); }
.entries .steps { font: .9375rem/1.55 var(--sans); color: var(--soft); }
.consent fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
.consent legend { padding: 0; margin-bottom: .6rem; }
.consent fieldset p { margin: 0; }
.consent .tick { padding-block: .3rem; }
.entries .soft { font: .9375rem/1.55 var(--sans); }
.entries button, .all button { font-size: .9375rem; padding: .4rem 1rem; margin-top: .5rem; }
`;
