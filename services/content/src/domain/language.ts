/** The fault of a language that `canonicalLanguage` does not know. */
export const languageBound = 'must be a BCP 47 tag such as en, de or pt-BR, not the name of a language';
