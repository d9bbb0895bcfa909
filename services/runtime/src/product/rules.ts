import { later } from '../time.js';

/**
 * The promises and limits of the product, each written once. The services enforce them, and documents, pages and mails
 * quote them. Limits that operators may change are variables of their service instead.
 */
export const rules = {
  /** The number of articles that a reader may read in a UTC day. */
  readsPerDay: { anonymous: 3, verifiedEmail: 10 },
  /** The time for which the rest of an article that was read in part can be fetched. */
  continuationHours: 24,
  contributionsPerDay: 20,
  /** The time for which a moderator can undo a decision that is held. */
  undoSeconds: 30,
  /** The time for which a contribution waits for a new text after a moderator asked for changes. */
  changesDays: 30,
  /** The number of new texts that an agent may send for one contribution. */
  newTextsPerContribution: 20,
  /** The number of mails to one mailbox. Authorizations and links to the access page have separate limits. */
  mailsPerHour: 5,
  mailsPerDay: 20,
  /** The time for which an authorization waits for the decision of its human. */
  authorizationHours: 24,
  /** The time for which a mailed link accepts a decision. Operators may change it. */
  linkMinutes: 30,
  userCodeAttempts: 5,
  /** The shortest time between two polls with the same device code. */
  pollSeconds: 5,
  /** The time for which a confirmed token can be fetched. The next value limits the time for fetching it again. */
  tokenExchangeHours: 24,
  tokenRedeliveryMinutes: 10,
  /** The lifetime of an access from its request, and of the link to an access page. */
  tokenDays: 180,
  /** The number of days for which personal data is kept after its authorization, token or contribution has ended. */
  keptAfterEndDays: 30,
  /** The time for which a request to erase a person waits for a second staff member. */
  erasureDays: 7,
  /** The number of days for which the count of a reader is kept after its day. */
  countKeptDays: 3,
  /** Every process refuses a revoked token within this time. */
  revocationSeconds: 5,
  /** The time for which an Idempotency-Key is remembered. The next value applies to equal payloads without a key. */
  idempotencyKeyHours: 24,
  equalPayloadMinutes: 2,
} as const;

/** The end of an access that was asked for at a time. It is counted from there, so mail and page can promise it before the yes. */
export function accessEnd(askedAt: Date): Date {
  return later(askedAt, rules.tokenDays * 86_400_000);
}

/** The reasons in the history for withdrawals that nobody chose for this one contribution. */
export const withdrawalReasons = {
  /** The end of an authorization withdraws what waits. */
  accessEnded: 'access ended',
  /** No new text came after a moderator asked for changes. */
  noNewText: `no new text within ${rules.changesDays} days`,
} as const;

export const sites = ['io', 'org'] as const;

/** One of the two sites. */
export type Site = (typeof sites)[number];

/** The title of each site on pages and in documents. */
export const siteTitles: Readonly<Record<Site, string>> = { io: 'Engineering', org: 'Organisation' };

/** What stands in place of a passage that a moderator took out of a text. */
export const removedMark = '[removed by a moderator]';
