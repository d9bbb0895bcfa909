export type { CurrentSynonyms } from './domain/current-synonyms.js';
export { holdSynonyms } from './domain/current-synonyms.js';
export type { Gloss, GlossedText } from './domain/gloss.js';
export type { SynonymWords } from './domain/synonym.js';
export { searchWordsHandlers } from './handlers/search-words.js';
export { searchWordsCollections } from './store/documents.js';
export { createGlossStore, forgetGlosses, type GlossStore } from './store/glosses.js';
export { searchWordsSchema } from './store/schema.js';
export { createSynonymStore } from './store/synonyms.js';
