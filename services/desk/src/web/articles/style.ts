/** The style of the pages of editors. */
export const articlesStyle = `
td input[type=radio] { min-height: 1.5rem; width: 1.5rem; margin: 0; }
`;
