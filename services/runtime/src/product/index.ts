export { bounds } from './bounds.js';
export { removedMark } from './removed-mark.js';
export { accessEnd, rules } from './rules.js';
export { publicWords, type Scope, scopes, scopeWords, sharedLimits } from './scopes.js';
export { type SearchOutcome, searchHint } from './search-hint.js';
export { siteTitles } from './site-titles.js';
export { withdrawalReasons } from './withdrawal-reasons.js';
