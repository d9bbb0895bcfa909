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
