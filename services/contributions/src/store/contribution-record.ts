import type { OutboxMail } from '@knowledge/runtime/mail';
import type { AuthorizationEnd } from '../domain/authorization-end.js';
import type { Contribution } from '../domain/contribution.js';
import type { Finding } from '../domain/finding.js';
import type { AuthorizationStore } from './authorizations.js';
import { toContribution } from './contribution-document.js';
import type { ContributionDocument } from './documents.js';

/** A contribution as moderators get it. */
export interface ContributionRecord {
  contribution: Contribution;
  mails: readonly OutboxMail[];
  /** The end of the authorization; undefined if it has not ended. */
  accessEnd: AuthorizationEnd | undefined;
  /** From 0 to 100; 0 too for a contribution that has not been assessed. */
  risk: number;
  findings: readonly Finding[];
}

/** Adds the ends of authorizations to contributions, by one query for all. */
export async function toRecords(
  documents: readonly ContributionDocument[],
  ends: AuthorizationStore['ends'],
  signal: AbortSignal,
): Promise<ContributionRecord[]> {
  const ended = await ends(
    documents.map(({ authorizationId = '' }) => authorizationId),
    signal,
  );
  return documents.map((document) => {
    const contribution = toContribution(document);
    const { mails, risk = 0, findings = [] } = document;
    return { contribution, mails, accessEnd: ended.get(contribution.authorizationId), risk, findings };
  });
}
