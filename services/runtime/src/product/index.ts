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
  comparedNames,
  contributionTypes,
  editedNames,
  type Kind,
  kinds,
  type LineName,
  labels,
  lineNames,
  type PublishedKind,
  presentWritten,
  publicWords,
  publishedKindNames,
  publishedKinds,
  type Scope,
  scopeOf,
  scopes,
  scopeWords,
  sharedLimits,
  type WrittenName,
  writtenNames,
} from './kinds.js';
export { accessEnd, removedMark, rules, siteTitles, withdrawalReasons } from './rules.js';
export { type SearchOutcome, searchHint } from './search-hint.js';
