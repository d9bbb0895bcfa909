export { searchCountHandlers } from './handlers/search-counts.js';
export { searchCountCollections, searchCountsSchema } from './store/schema.js';
export { createSearchCountStore } from './store/search-counts.js';
