export type { Erasure } from './domain/erasure.js';
export { confirmedErasureHandlers, type ErasePersonParts, erasePerson } from './handlers/erase-person.js';
export { erasureHandlers } from './handlers/erasures.js';
export { createErasureStore, type ErasureStore } from './store/erasures.js';
export { erasuresSchema } from './store/schema.js';
