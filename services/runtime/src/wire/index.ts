export { type EnumWords, enumWords } from './enum-words.js';
export { toWireFieldName } from './field-name.js';
export { requireEmail } from './require-email.js';
export { fromWireScope, requireScope, scopeNames, toWireScope } from './scope.js';
export { fromWireSite, optionalSite, requireSite, toWireSite } from './site.js';
export { toWireTransition } from './transition.js';
