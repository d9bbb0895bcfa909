export { bounds } from './bounds.js';
export {
  type ContributionState,
  contributionStates,
  type Decision,
  type DecisionName,
  type DecisionNotice,
  decisionNames,
  decisions,
  type StateChange,
  waitingStates,
} from './decisions.js';
export {
  type ContributionType,
  comparedParts,
  contributionTypes,
  type Kind,
  kinds,
  type PublishedKind,
  publicWords,
  publishedKindNames,
  publishedKinds,
  type Scope,
  scopeOf,
  scopes,
  scopeWords,
  sharedLimits,
} from './kinds.js';
export { accessEnd, removedMark, rules, siteTitles, withdrawalReasons } from './rules.js';
export { type SearchOutcome, searchHint } from './search-hint.js';
