export { bounds } from './bounds.js';
export { rules } from './rules.js';
export { publicWords, type Scope, scopes, scopeWords } from './scopes.js';
