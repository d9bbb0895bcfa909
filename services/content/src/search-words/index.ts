export { holdSynonyms } from './domain/current-synonyms.js';
export { searchWordsHandlers } from './handlers/search-words.js';
export { createGlossStore } from './store/glosses.js';
export { searchWordsSchema, synonymCollection } from './store/schema.js';
export { createSynonymStore } from './store/synonyms.js';
