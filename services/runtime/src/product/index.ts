export { bounds } from './bounds.js';
export { accessEnd, removedMark, rules, siteTitles, withdrawalReasons } from './rules.js';
export { publicWords, type Scope, scopes, scopeWords, sharedLimits } from './scopes.js';
export { type SearchOutcome, searchHint } from './search-hint.js';
