/**
 * What the product promises and limits, each stated once: the services keep these rules; documents, pages and mails read them.
 * What operators may set stands in the configuration of its service.
 */
export const rules = {
  /** Article reads of a UTC day. */
  readsPerDay: { anonymous: 3, verifiedEmail: 10 },
  contributionsPerDay: 20,
  /** Mails to one mailbox. Authorizations, renewals and links to the access page are counted apart. */
  mailsPerHour: 5,
  mailsPerDay: 20,
  /** How long an authorization waits for the decision of its human. */
  authorizationHours: 24,
  /** How long a mailed link decides; operators may set it. */
  linkMinutes: 30,
  userCodeAttempts: 5,
  /** The least time between two polls with a device code. */
  pollSeconds: 5,
  /** How long a confirmed token can be fetched, and how long it is given again. */
  tokenExchangeHours: 24,
  tokenRedeliveryMinutes: 10,
  /** How long a token and the link of an access page live. */
  tokenDays: 180,
  /** How long personal data is kept after its end. */
  keptAfterEndDays: 30,
  /** Within this time a revoked token is refused everywhere. */
  revocationSeconds: 5,
  /** How long an Idempotency-Key is remembered, and an equal payload without one. */
  idempotencyKeyHours: 24,
  equalPayloadMinutes: 2,
} as const;
