export { isSingleAddress, parseSender, type Sender } from '../text/address.js';
export { mailAdminHandlers, toWireMail } from './admin-handlers.js';
export { createMongoOutbox, failedMailsIndex, type MailOwner, type MongoOutboxOptions } from './mongo-outbox.js';
export type { MailContent } from './outbox.js';
export {
  type Backlog,
  type ComposeMail,
  type DeliveryResult,
  type FailedMail,
  type MailClaim,
  newMail,
  type OutboxMail,
  type OutboxStore,
} from './outbox.js';
export { Outbox } from './outbox-worker.js';
export {
  contest,
  linkNote,
  type MailBlock,
  type MailDraft,
  type MailText,
  type MailTextPart,
  renderMail,
} from './render.js';
export { createSmtpTransport } from './smtp-transport.js';
export { mailFaults, mailVariables } from './variables.js';
