export { isSingleAddress, parseSender, type Sender } from '../text/address.js';
export { type MailAdminParts, mailAdminHandlers } from './admin-handlers.js';
export type { MailBlock, MailDraft, MailText, MailTextPart } from './blocks.js';
export { contest } from './contest.js';
export { linkNote } from './link-note.js';
export type { MailContent, MailMessage, MailTransport } from './message.js';
export { createMongoOutbox, failedMailsIndex, type MailOwner, type MongoOutboxOptions } from './mongo-outbox.js';
export {
  type Backlog,
  type ComposeMail,
  type DeliveryResult,
  type MailClaim,
  type MailState,
  mailsDueAt,
  newMail,
  type OutboxMail,
  type OutboxStore,
} from './outbox.js';
export { type Outbox, type OutboxOptions, startOutbox } from './outbox-worker.js';
export { renderMail } from './render.js';
export { createSmtpTransport, type MailConfig } from './smtp-transport.js';
export { mailFaults, mailVariables } from './variables.js';
export { toWireMail } from './wire-mail.js';
