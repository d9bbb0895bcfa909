export { type AddOptions, type Batcher, type BatcherOptions, createBatcher, type SendContext } from './batch.js';
export { type CallContext, workerContext } from './call-context.js';
export type { Clock } from './clock.js';
export { ConfigError } from './config/config-error.js';
export { joinAddress, listenAt } from './config/host-port.js';
export { clientVariables } from './config/http-clients.js';
export { isLocalUrl, openPublicUrl, publicUrlFaults, publicUrls, publicUrlVariables } from './config/public-urls.js';
export { type Config, type Environment, readConfig } from './config/read-config.js';
export {
  address,
  authorities,
  boolean,
  choice,
  type Declaration,
  integer,
  list,
  seconds,
  target,
  text,
  url,
  type Variable,
} from './config/variable.js';
export { grpcServerVariables, grpcTlsVariables, logVariables, mongodbVariables } from './config/variables.js';
export {
  childDeadline,
  type Deadline,
  type DeadlineSignal,
  deadlineIn,
  deadlineSignal,
  hopMarginMs,
  remainingMs,
} from './deadline.js';
export {
  type ErrorCode,
  errorCatalogue,
  errorCodes,
  isErrorCode,
} from './errors/catalogue.js';
export { hasCode, KnowledgeError, type KnowledgeErrorOptions } from './errors/knowledge-error.js';
export { isOutage, translateOutage } from './errors/outage.js';
export { type Closable, closeAll } from './lifecycle/close-all.js';
export { type Deferred, deferred } from './lifecycle/deferred.js';
export { type Loop, type LoopOptions, startLoop } from './lifecycle/loop.js';
export { orAbort } from './lifecycle/or-abort.js';
export { type RunningProcess, runMain, runTask } from './lifecycle/run-main.js';
export { createLogger, flushLog, type Logger, type LoggerOptions } from './log/logger.js';
export { type SerializedError, serializeError } from './log/serialize-error.js';
export { writeInfoLine } from './log/write-line.js';
export { newMail, type OutboxMail } from './mail/outbox.js';
export { type Contact, type Operator, operatorFaults, operatorOf } from './operator/operator.js';
export { operatorVariables } from './operator/variables.js';
export { idRange, readIdPrefix } from './paging/id-prefix.js';
export {
  type ListPage,
  type ListPageQuery,
  type ListPosition,
  pageToken,
  readPageQuery,
  readPageSize,
  readPageTime,
  toListPage,
} from './paging/page.js';
export { decodePageToken, encodePageToken, type PageScope } from './paging/page-token.js';
export { RemoteClock } from './remote-clock.js';
export { type Site, sites } from './site.js';
export { addressFault, asciiAddress, emailBound, isSingleAddress } from './text/address.js';
export { codePoints } from './text/code-points.js';
export { containsAddress } from './text/contains-address.js';
export { escapeHtml } from './text/escape-html.js';
export {
  hiddenCharacters,
  hiddenFault,
  isVisible,
  withoutHiddenCharacters,
} from './text/hidden-characters.js';
export { canonicalLanguage, languageBound } from './text/language.js';
export { domainsAround, isLargeProvider, mailboxOf } from './text/mailbox.js';
export { type Bucket, bucketsOf, ownerNetworkOf } from './text/networks.js';
export { isTokenSecret, ownSecretFault, tokenSecretOf } from './text/own-secrets.js';
export { readingTokens } from './text/reading-tokens.js';
export { formatUtcDay, formatUtcEnd, formatUtcTime, timestamp } from './time-words.js';
export type { Attribution, Transition } from './transition.js';
