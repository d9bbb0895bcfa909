export { type TeamworkStores, teamworkHandlers, teamworkOfRecords } from './handlers/teamwork.js';
export { createNoteStore } from './store/notes.js';
export { createPresenceStore } from './store/presence.js';
export { teamworkSchema } from './store/schema.js';
