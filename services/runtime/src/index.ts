export { Batcher, type BatcherOptions } from './batch.js';
export { chunksOf } from './chunks.js';
export {
  type Config,
  ConfigError,
  type Environment,
  grpcServerVariables,
  httpServiceVariables,
  isLocalUrl,
  openPublicUrl,
  publicUrlFaults,
  publicUrls,
  publicUrlVariables,
  readConfig,
} from './config/read-config.js';
export {
  address,
  authorities,
  choice,
  flag,
  integer,
  joinAddress,
  list,
  listenAt,
  seconds,
  string,
  target,
  url,
  type Variable,
} from './config/variable.js';
export {
  type CallContext,
  type Clock,
  childDeadline,
  type Deadline,
  deadlineIn,
  deadlineSignal,
  hopMarginMs,
  RemoteClock,
  remainingMs,
  within,
  workerContext,
} from './deadline.js';
export { type ErrorCode, errorCatalogue, errorCodes, isErrorCode } from './errors/catalogue.js';
export {
  hasCode,
  isOutage,
  KnowledgeError,
  translateOutage,
  unlessNotFound,
} from './errors/knowledge-error.js';
export { type Loop, startLoop } from './lifecycle/loop.js';
export { type Closable, closeAll, deferred, orAbort, pause, sharedRounds } from './lifecycle/promises.js';
export { type RunningProcess, runMain } from './lifecycle/run-main.js';
export {
  createLogger,
  flushLog,
  type Logger,
  serializeError,
  writeInfoLine,
} from './log/logger.js';
export { newMail, type OutboxMail } from './mail/outbox.js';
export { type Contact, type Operator, operatorFaults, operatorOf, operatorVariables } from './operator/operator.js';
export {
  decodePageToken,
  encodePageToken,
  idRange,
  type ListPage,
  type ListPageQuery,
  type ListPosition,
  type PageScope,
  pageToken,
  readIdPrefix,
  readPageQuery,
  readPageSize,
  readPageTime,
  toListPage,
} from './paging/page.js';
export { isUuid } from './product/bounds.js';
export { type Site, sites } from './product/rules.js';
export {
  addressFault,
  asciiAddress,
  containsAddress,
  domainsAround,
  emailBound,
  isLargeProvider,
  isSingleAddress,
  mailboxOf,
} from './text/address.js';
export { escapeHtml } from './text/escape-html.js';
export {
  type Fault,
  lineFault,
  refuse,
  refuseFaults,
  shownFault,
  shownLineFault,
  type TextBounds,
  textFault,
} from './text/faults.js';
export {
  codePoints,
  hiddenCharacters,
  hiddenFault,
  isVisible,
  withoutHiddenCharacters,
} from './text/hidden-characters.js';
export { canonicalLanguage, languageBound } from './text/language.js';
export { type Bucket, bucketsOf, ownerNetworkOf } from './text/networks.js';
export { isTokenSecret, ownSecretFault, tokenSecretOf } from './text/own-secrets.js';
export { readingTokens } from './text/reading-tokens.js';
export { shortened } from './text/shortened.js';
export { earlier, later } from './time.js';
export { formatUtcDay, formatUtcEnd, formatUtcTime, minutesInWords, timestamp } from './time-words.js';
export {
  type Attribution,
  actors,
  contributorActor,
  isContributor,
  isNoMember,
  type Transition,
} from './transition.js';
