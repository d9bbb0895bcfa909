export { searchWordsHandlers } from './handlers/search-words.js';
export { searchWordsSchema, synonymCollection } from './store/schema.js';
export { createSearchWordsStore } from './store/search-words.js';
