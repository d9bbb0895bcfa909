export { enumWords } from './enum-words.js';
export { optionalSite, requireSite, toWireSite } from './site.js';
export { toWireTransition } from './transition.js';
