/** The error text for a language that `canonicalLanguage` refuses. */
export const languageBound = 'must be a BCP 47 tag such as en, de or pt-BR, not the name of a language';
