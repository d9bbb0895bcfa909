export { searchCountHandlers } from './handlers/search-counts.js';
export { searchCountCollections } from './store/documents.js';
export { createReadCountStore } from './store/read-counts.js';
export { searchCountsSchema } from './store/schema.js';
export { createSearchCountStore } from './store/search-counts.js';
