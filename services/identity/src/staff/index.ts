export { staffHandlers } from './handlers/staff.js';
export { staffSessionHandlers } from './handlers/staff-sessions.js';
export { openStaffStores } from './store/open-stores.js';
export { staffSchema } from './store/schema.js';
