/** The style of the pages of editors. */
export const articlesStyle = `
td input[type=radio] { min-height: 1.5rem; width: 1.5rem; margin: 0; }
section.correction { padding: .2rem 1rem; border: 1px solid var(--line); border-radius: 6px; margin-block: 1rem; }
section.correction h2 { margin-top: .6rem; }
section.correction blockquote { margin: .6rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
