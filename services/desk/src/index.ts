export { runDesk } from './desk.js';
export type { Host, Output } from './host.js';
