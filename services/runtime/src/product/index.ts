export { bounds, isSlug } from './bounds.js';
export {
  type ContributionState,
  contributionStates,
  type Decision,
  type DecisionInput,
  type DecisionName,
  type DecisionNotice,
  decisionNames,
  decisions,
  type InputName,
  inputNames,
  reasonedDecisions,
  type StateChange,
  waitingStates,
} from './decisions.js';
export { type EntryName, historyEntry, standingEdits } from './history.js';
export {
  type ContributionType,
  capitalised,
  communityTexts,
  comparedNames,
  contributionTypes,
  editedNames,
  type InquiryPurpose,
  inquiryPurposes,
  inSeries,
  type Kind,
  kinds,
  type LineName,
  labels,
  lineNames,
  type PublishedKind,
  presentWritten,
  publicTypes,
  publicWords,
  publishedKindNames,
  publishedKinds,
  publishedTexts,
  type Scope,
  scopeOf,
  scopes,
  scopeWords,
  sharedLimits,
  type WrittenName,
  writtenNames,
} from './kinds.js';
export { type LogSubject, logSubjects } from './log-subjects.js';
export { isRole, type Role, roles } from './roles.js';
export { accessEnd, removedMark, rules, siteTitles, withdrawalReasons } from './rules.js';
export { hintOf } from './search-hint.js';
