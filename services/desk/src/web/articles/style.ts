/** The style of the pages of editors. */
export const articlesStyle = `
td input[type=radio] { min-height: 1.5rem; width: 1.5rem; margin: 0; }
.shown { padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
.shown pre { white-space: pre-wrap; overflow-wrap: anywhere; }
#preview summary { cursor: pointer; font-weight: 600; margin-block: .6rem; }
`;
