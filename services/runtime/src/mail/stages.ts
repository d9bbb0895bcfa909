/** The stages of a delivery, in their order. */
export type SmtpStage = keyof typeof stageLimitsMs;

/**
 * How long each stage may take: RFC 5321, section 4.5.3.2. It has no limit for connections, TLS and the log-in; a
 * server that works needs seconds for the first two.
 */
export const stageLimitsMs = {
  CONNECT: 30_000,
  GREETING: 300_000,
  EHLO: 300_000,
  STARTTLS: 30_000,
  AUTH: 300_000,
  'MAIL FROM': 300_000,
  'RCPT TO': 300_000,
  DATA: 120_000,
  /** From the `354` to the final dot. The limit is for each block, and a mail of ours is one. */
  TEXT: 180_000,
  /** The response to the final dot. Only in this stage may the server have taken a mail without telling us. */
  DOT: 600_000,
};

/** The enhanced status codes that are about the recipient alone: RFC 3463 and the registry of IANA for such codes. */
const recipientCodes = new Set([
  '5.1.1', // Bad destination mailbox address
  '5.1.2', // Bad destination system address
  '5.1.3', // Bad destination mailbox address syntax
  '5.1.4', // Destination mailbox address ambiguous
  '5.1.6', // Destination mailbox has moved, no forwarding address
  '5.1.10', // Recipient address has null MX
  '5.2.0', // Other or undefined mailbox status
  '5.2.1', // Mailbox disabled, not accepting messages
  '5.2.2', // Mailbox full
  '5.2.3', // Message length exceeds administrative limit of the mailbox
  '5.2.4', // Mailing list expansion problem
  '5.7.2', // Mailing list expansion prohibited
  '5.7.17', // Mailbox owner has changed
  '5.7.18', // Domain owner has changed
]);

/**
 * Whether a refusal ends a mail for good. 5.1.0 does not, since servers use it for senders too. Without an enhanced
 * code nobody knows whom a refusal is about.
 */
export function isAboutRecipient(stage: SmtpStage, code: string): boolean {
  return (stage === 'RCPT TO' || stage === 'DATA' || stage === 'DOT') && recipientCodes.has(code);
}

/** Reads the status codes at the beginning of a response. The enhanced one may be empty. */
export function statusOf(response: string): { basic: string; enhanced: string } | undefined {
  const match = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S))?/.exec(response);
  return match === null ? undefined : { basic: match[1] ?? '', enhanced: match[2] ?? '' };
}
