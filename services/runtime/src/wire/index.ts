export { enumWords } from './enum-words.js';
export { toWireFieldName } from './field-name.js';
export { optionalSite, requireSite, toWireSite } from './site.js';
export { toWireTransition } from './transition.js';
