/** The style of the lines that move. */
export const highlightsStyle = `
.lines { display: grid; gap: .6rem; margin: 0; padding-inline-start: 1.8rem; }
.lines > li { margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px; }
.lines > li:focus-within { border-color: var(--accent); }
.lines label { font-weight: 600; overflow-wrap: anywhere; }
.lines textarea { width: 100%; font: 1rem/1.4 var(--sans); }
.line-buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin-block-start: .5rem; }
.line-buttons button { min-height: 2.25rem; padding: .1rem .9rem; border-width: 1px; font-size: .9375rem; }
`;
