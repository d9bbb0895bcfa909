export { reasonHandlers } from './handlers/reasons.js';
export { createReasonStore } from './store/reasons.js';
export { reasonsSchema } from './store/schema.js';
